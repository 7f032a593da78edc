// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime_api.h>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/cuda/cuda_error.hpp"
#include "kernels/cuda/region_addresses.hpp"
#include "kernels/launch.hpp"

namespace mimus::kernels::cuda {

/// Skips a test, with the driver's words, where there is no device.
class GpuTest : public ::testing::Test {
 protected:
  void SetUp() override {
    int devices = 0;
    const cudaError_t status = cudaGetDeviceCount(&devices);
    if (status != cudaSuccess) GTEST_SKIP() << "no CUDA device: " << cudaGetErrorString(status);
    if (devices == 0) GTEST_SKIP() << "no CUDA device: the driver lists none";
  }
};

/// How a test sees elements of one type in memory.
inline double decoded(float value) {
  return static_cast<double>(value);
}
inline double decoded(__half value) {
  return static_cast<double>(__half2float(value));
}
inline double decoded(__nv_bfloat16 value) {
  return static_cast<double>(__bfloat162float(value));
}
inline void encode(double value, float& to) {
  to = static_cast<float>(value);
}
inline void encode(double value, __half& to) {
  to = __float2half_rn(static_cast<float>(value));
}
inline void encode(double value, __nv_bfloat16& to) {
  to = __float2bfloat16_rn(static_cast<float>(value));
}

/// Relative error of one rounding, with some room for arithmetic in fp32.
inline double tolerance(Arithmetic element) {
  if (element == Arithmetic::fp16) return 0x1p-10;
  return element == Arithmetic::bf16 ? 0x1p-7 : 2e-5;
}

/// What every kernel does to results: vector_access.cuh.
inline double bounded_reference(double value) {
  return std::copysign(std::fmin(std::fmax(std::fabs(value), 0x1p-10), 4.0), value);
}

/// One region of device memory and its image on the host. It begins poisoned with bytes 0xFF, which
/// are NaN in every type, so an element that a kernel forgets does not pass for a result.
class Arena {
 public:
  explicit Arena(std::size_t bytes) : host_(bytes, 0xFF) {
    void* address = nullptr;
    check_cuda(cudaMalloc(&address, bytes), "cudaMalloc");
    device_ = static_cast<std::byte*>(address);
  }
  ~Arena() { cudaFree(device_); }
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  [[nodiscard]] std::byte* device() const { return device_; }
  [[nodiscard]] std::vector<unsigned char>& host() { return host_; }
  void upload() {
    check_cuda(cudaMemcpy(device_, host_.data(), host_.size(), cudaMemcpyHostToDevice),
               "cudaMemcpy");
  }
  void download() {
    check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    check_cuda(cudaMemcpy(host_.data(), device_, host_.size(), cudaMemcpyDeviceToHost),
               "cudaMemcpy");
  }

 private:
  std::vector<unsigned char> host_;
  std::byte* device_ = nullptr;
};

/// Tensors of one element type behind one another in Region::activations, and what a test says
/// about them as doubles.
class Tensors {
 public:
  Tensors(std::size_t bytes, Arithmetic element) : arena_(bytes), element_(element) {
    regions_.base.fill(arena_.device());
  }

  [[nodiscard]] const RegionAddresses& regions() const { return regions_; }
  [[nodiscard]] std::int64_t bytes() const { return element_bytes(element_); }

  /// Room for `elements`, poisoned. `element_size` of 0 means this type's.
  TensorRef add(std::int64_t elements, std::int64_t element_size = 0) {
    const TensorRef place{Region::activations, used_};
    const std::int64_t size = elements * (element_size == 0 ? bytes() : element_size);
    used_ += (size + 255) / 256 * 256;
    if (static_cast<std::size_t>(used_) > arena_.host().size()) {
      throw std::length_error("a test's arena is too small");
    }
    return place;
  }
  /// Room that holds numbers uniform in [low, high).
  TensorRef add_random(std::int64_t elements, double low = 0.1, double high = 1.0) {
    const TensorRef place = add(elements);
    std::uniform_real_distribution<double> numbers(low, high);
    for (std::int64_t i = 0; i < elements; ++i) set(place, i, numbers(random_));
    return place;
  }

  [[nodiscard]] double get(const TensorRef& place, std::int64_t index) {
    if (element_ == Arithmetic::fp16) return decoded(raw<__half>(place, index));
    if (element_ == Arithmetic::bf16) return decoded(raw<__nv_bfloat16>(place, index));
    return decoded(raw<float>(place, index));
  }
  void set(const TensorRef& place, std::int64_t index, double value) {
    if (element_ == Arithmetic::fp16) return put<__half>(place, index, value);
    if (element_ == Arithmetic::bf16) return put<__nv_bfloat16>(place, index, value);
    put<float>(place, index, value);
  }
  /// All of a tensor as it is on the host.
  [[nodiscard]] std::vector<double> values(const TensorRef& place, std::int64_t elements) {
    std::vector<double> all(static_cast<std::size_t>(elements));
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i] = get(place, static_cast<std::int64_t>(i));
    }
    return all;
  }
  /// One element of any type, whatever the tensors' own.
  template <class T>
  [[nodiscard]] T raw(const TensorRef& place, std::int64_t index) {
    T value;
    std::memcpy(&value, at<T>(place, index), sizeof(T));
    return value;
  }
  template <class T>
  void set_raw(const TensorRef& place, std::int64_t index, T value) {
    std::memcpy(at<T>(place, index), &value, sizeof(T));
  }

  void upload() { arena_.upload(); }
  void download() { arena_.download(); }

 private:
  template <class T>
  unsigned char* at(const TensorRef& place, std::int64_t index) {
    return arena_.host().data() + place.offset + index * static_cast<std::int64_t>(sizeof(T));
  }
  template <class T>
  void put(const TensorRef& place, std::int64_t index, double value) {
    T encoded;
    encode(value, encoded);
    set_raw(place, index, encoded);
  }

  Arena arena_;
  Arithmetic element_;
  RegionAddresses regions_;
  std::int64_t used_ = 0;
  std::mt19937_64 random_{7};
};

/// Expects |actual − expected| ≤ tolerance · max(|expected|, 1/8): relative, but not where a result
/// is a small difference of larger numbers.
inline void expect_close(double actual, double expected, double relative, const std::string& what) {
  const double allowed = relative * std::fmax(std::fabs(expected), 0.125);
  if (!(std::fabs(actual - expected) <= allowed)) {
    ADD_FAILURE() << what << ": " << actual << ", expected " << expected << " within " << allowed;
  }
}

/// One line per differing element would bury the first.
inline void expect_all_close(const std::vector<double>& actual, const std::vector<double>& expected,
                             double relative, const std::string& what) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    expect_close(actual[i], expected[i], relative, what + "[" + std::to_string(i) + "]");
    if (::testing::Test::HasNonfatalFailure()) return;
  }
}

inline constexpr Arithmetic kElementTypes[] = {Arithmetic::fp32, Arithmetic::fp16,
                                               Arithmetic::bf16};

}  // namespace mimus::kernels::cuda
