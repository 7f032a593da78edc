// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cudnn.h>
#include <string_view>

#include "kernels/cuda/runtime/cuda_error.hpp"

namespace mimus::kernels::cuda {

/// Like check_cuda(), for cuDNN. Separate because a build may have no cuDNN.
void check_cudnn(cudnnStatus_t code, std::string_view call);

}  // namespace mimus::kernels::cuda
