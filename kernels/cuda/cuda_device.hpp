// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "kernels/device.hpp"

namespace mimus::kernels {

/// A replica on CUDA device number `ordinal`. NotCompiledError in a build without CUDA.
[[nodiscard]] std::unique_ptr<Device> make_cuda_device(int ordinal);

}  // namespace mimus::kernels
