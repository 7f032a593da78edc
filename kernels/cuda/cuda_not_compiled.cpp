// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Linked in place of the CUDA backend where that is not built, so that callers need no #ifdef.
#include "base/error.hpp"
#include "kernels/cuda/cuda_device.hpp"

namespace mimus::kernels {

std::unique_ptr<Device> make_cuda_device(int /*ordinal*/) {
  throw NotCompiledError("the cuda device", "MIMUS_WITH_CUDA");
}

}  // namespace mimus::kernels
