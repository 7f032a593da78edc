// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

namespace mimus::kernels::cuda {

template <int Reads>
__device__ inline float mean(const float (&x)[Reads]) {
  float sum = 0.0F;
#pragma unroll
  for (int i = 0; i < Reads; ++i) sum += x[i];
  return sum * (1.0F / static_cast<float>(Reads));
}

/// Functions of an elementwise kernel: `of` takes the values at one place of all operands.
struct Add {
  template <int Reads>
  __device__ static float of(const float (&x)[Reads]) {
    return mean(x);
  }
};

struct Multiply {
  template <int Reads>
  __device__ static float of(const float (&x)[Reads]) {
    float product = x[0];
#pragma unroll
    for (int i = 1; i < Reads; ++i) product *= x[i];
    return product;
  }
};

/// For a leaky ReLU: the gradient passes where the saved tensor is positive.
struct ActivationGradient {
  template <int Reads>
  __device__ static float of(const float (&x)[Reads]) {
    return x[Reads - 1] > 0.0F ? mean(x) : 0.01F * x[0];
  }
};

/// A function of one operand.
template <class Function>
struct Unary {
  template <int Reads>
  __device__ static float of(const float (&x)[Reads]) {
    return Function::of(mean(x));
  }
};

/// By -1, so that the magnitude keeps its range however often a tensor is scaled in place.
struct Scale {
  __device__ static float of(float x) { return -x; }
};
struct Relu {
  __device__ static float of(float x) { return fmaxf(x, 0.0F); }
};
struct LeakyRelu {
  __device__ static float of(float x) { return x > 0.0F ? x : 0.01F * x; }
};
struct HardTanh {
  __device__ static float of(float x) { return fminf(fmaxf(x, -1.0F), 1.0F); }
};
struct Sigmoid {
  __device__ static float of(float x) { return 1.0F / (1.0F + __expf(-x)); }
};
/// x·Φ(x) with the error function, PyTorch's default.
struct Gelu {
  __device__ static float of(float x) { return 0.5F * x * (1.0F + erff(x * 0.70710678F)); }
};

}  // namespace mimus::kernels::cuda
