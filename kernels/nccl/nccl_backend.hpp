// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "kernels/cuda/backend/cuda_backend.hpp"

namespace mimus::kernels {

// NCCL's part of the CUDA backend. A build without NCCL links functions that throw
// NotCompiledError; its versions are empty.

[[nodiscard]] NcclId make_nccl_id();
[[nodiscard]] std::unique_ptr<Collective> make_nccl_collective(const NcclOptions& options);
[[nodiscard]] NcclId nccl_resize_id(Collective& collective, const GangResize& resize);
void resize_nccl_collective(Collective& collective, const GangResize& resize);
/// As "2.28.9": compiled against, and found at run time.
[[nodiscard]] std::string nccl_header_version();
[[nodiscard]] std::string nccl_version();
/// Found at run time, in NCCL's number format: 22809; 0 without NCCL.
[[nodiscard]] int nccl_number();

}  // namespace mimus::kernels
