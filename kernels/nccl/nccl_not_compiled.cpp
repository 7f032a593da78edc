// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Linked in place of the NCCL backend where that is not built, so that callers need no #ifdef.
#include "base/error.hpp"
#include "kernels/nccl/nccl_collective.hpp"

namespace mimus::kernels {

std::unique_ptr<Collective> make_nccl_collective(MPI_Comm /*communicator*/) {
  throw NotCompiledError("the nccl collective", "MIMUS_WITH_NCCL");
}

}  // namespace mimus::kernels
