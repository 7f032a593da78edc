// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <mpi.h>

#include "kernels/collective.hpp"

namespace mimus::kernels {

/// NCCL communication of the gang of `communicator`, which carries the unique id.
/// NotCompiledError in a build without NCCL.
[[nodiscard]] std::unique_ptr<Collective> make_nccl_collective(MPI_Comm communicator);

}  // namespace mimus::kernels
