// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/cuda/kernels/common/vector_access.cuh"
#include "kernels/cuda/kernels/optimiser_kernels.hpp"

namespace mimus::kernels::cuda {

/// The arrays of an optimiser; a set of them is a sum of these values.
enum Array : unsigned { kWeight = 1, kGradient = 2, kFirst = 4, kSecond = 8, kTemporary = 16 };

/// The values of one parameter.
struct Parameter {
  float w, g, m, v, t;
};

/// `divisor` is not known to the compiler, so that divisions stay divisions.
struct Constants {
  float divisor;
};

__device__ inline void move_first(Parameter& p) {
  p.m += (1.0F - kBeta1) * (p.g - p.m);
}
__device__ inline void move_second(Parameter& p) {
  p.v += (1.0F - kBeta2) * (p.g * p.g - p.v);
}
__device__ inline float ratio(const Parameter& p) {
  return p.m / (sqrtf(fabsf(p.v)) + kEpsilon);
}

struct Sgd {
  static constexpr unsigned kReads = kWeight + kGradient + kFirst;
  static constexpr unsigned kWrites = kWeight + kFirst;
  __device__ static void apply(Parameter& p, const Constants&) {
    move_first(p);
    p.w -= kRate * p.m;
  }
};
struct Adam {
  static constexpr unsigned kReads = kWeight + kGradient + kFirst + kSecond;
  static constexpr unsigned kWrites = kWeight + kFirst + kSecond;
  __device__ static void apply(Parameter& p, const Constants&) {
    move_first(p);
    move_second(p);
    p.w -= kRate * ratio(p);
  }
};
struct LambMoments {
  static constexpr unsigned kReads = kWeight + kGradient + kFirst + kSecond;
  static constexpr unsigned kWrites = kFirst + kSecond + kTemporary;
  __device__ static void apply(Parameter& p, const Constants&) {
    move_first(p);
    move_second(p);
    p.t = ratio(p) + kDecay * p.w;
  }
};
struct ScaleFirst {
  static constexpr unsigned kReads = kFirst;
  static constexpr unsigned kWrites = kFirst;
  __device__ static void apply(Parameter& p, const Constants&) { p.m *= kBeta1; }
};
struct Decay {
  static constexpr unsigned kReads = kWeight + kGradient;
  static constexpr unsigned kWrites = kTemporary;
  __device__ static void apply(Parameter& p, const Constants&) { p.t = p.g + kDecay * p.w; }
};
struct AddFirst {
  static constexpr unsigned kReads = kFirst + kTemporary;
  static constexpr unsigned kWrites = kFirst;
  __device__ static void apply(Parameter& p, const Constants&) { p.m += (1.0F - kBeta1) * p.t; }
};
struct ApplyFirst {
  static constexpr unsigned kReads = kWeight + kFirst;
  static constexpr unsigned kWrites = kWeight;
  __device__ static void apply(Parameter& p, const Constants&) { p.w -= kRate * p.m; }
};
struct LerpFirst {
  static constexpr unsigned kReads = kFirst + kGradient;
  static constexpr unsigned kWrites = kFirst;
  __device__ static void apply(Parameter& p, const Constants&) { move_first(p); }
};
struct ScaleSecond {
  static constexpr unsigned kReads = kSecond;
  static constexpr unsigned kWrites = kSecond;
  __device__ static void apply(Parameter& p, const Constants&) { p.v *= kBeta2; }
};
struct SquareSecond {
  static constexpr unsigned kReads = kSecond + kGradient;
  static constexpr unsigned kWrites = kSecond;
  __device__ static void apply(Parameter& p, const Constants&) {
    p.v += (1.0F - kBeta2) * p.g * p.g;
  }
};
struct RootSecond {
  static constexpr unsigned kReads = kSecond;
  static constexpr unsigned kWrites = kTemporary;
  __device__ static void apply(Parameter& p, const Constants&) { p.t = sqrtf(fabsf(p.v)); }
};
struct Divide {
  static constexpr unsigned kReads = kTemporary;
  static constexpr unsigned kWrites = kTemporary;
  __device__ static void apply(Parameter& p, const Constants& c) { p.t /= c.divisor; }
};
struct AddEpsilon {
  static constexpr unsigned kReads = kTemporary;
  static constexpr unsigned kWrites = kTemporary;
  __device__ static void apply(Parameter& p, const Constants&) { p.t += kEpsilon; }
};
struct ApplyRatio {
  static constexpr unsigned kReads = kWeight + kFirst + kTemporary;
  static constexpr unsigned kWrites = kWeight;
  __device__ static void apply(Parameter& p, const Constants&) { p.w -= kRate * p.m / p.t; }
};
struct Unscale {
  static constexpr unsigned kReads = kGradient;
  static constexpr unsigned kWrites = kGradient;
  __device__ static void apply(Parameter& p, const Constants& c) { p.g /= c.divisor; }
};

}  // namespace mimus::kernels::cuda
