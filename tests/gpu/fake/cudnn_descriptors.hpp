// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cudnn.h>

// The structures behind cuDNN's handles.

struct cudnnContext {
  cudaStream_t stream = nullptr;
};
struct cudnnTensorStruct {
  int type = -1;
  std::size_t n = 0, c = 0, h = 0, w = 0;
  [[nodiscard]] std::size_t bytes() const {
    return n * c * h * w * (type == CUDNN_DATA_FLOAT ? 4U : 2U);
  }
};
struct cudnnFilterStruct {
  int type = -1;
  std::size_t out = 0, in = 0, h = 0, w = 0;
  [[nodiscard]] std::size_t bytes() const {
    return out * in * h * w * (type == CUDNN_DATA_FLOAT ? 4U : 2U);
  }
};
struct cudnnConvolutionStruct {
  int pad_h = 0, pad_w = 0, stride_h = 0, stride_w = 0;
  int math = CUDNN_DEFAULT_MATH;
};
