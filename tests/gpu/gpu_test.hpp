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
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/cuda/runtime/cuda_error.hpp"
#include "kernels/cuda/runtime/cuda_memory.hpp"
#include "kernels/cuda/runtime/region_addresses.hpp"
#include "kernels/launch/launch.hpp"

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

/// Whether the device has tensor cores for bf16 and tf32, and the shared memory that fused
/// attention takes in fp32: from Ampere on.
inline bool at_least_ampere() {
  int device = 0;
  int major = 0;
  check_cuda(cudaGetDevice(&device), "cudaGetDevice");
  check_cuda(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device),
             "cudaDeviceGetAttribute");
  return major >= 8;
}
inline constexpr const char* kNeedsAmpere = "needs a device of compute capability 8.0 or more";

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

/// Device memory of one tensor and its image on the host.
struct TensorMemory {
  DeviceBuffer device;
  std::vector<unsigned char> host;
};

/// Tensors of one element type, and what a test says about them as doubles. Each has an allocation
/// of its own and exact size, so that compute-sanitizer sees accesses behind its end; the bases of
/// all regions are null, and the offset of a place is its address.
///
/// Memory begins poisoned with bytes 0xFF, which are NaN in every type, so an element that a kernel
/// forgets does not pass for a result.
class Tensors {
 public:
  explicit Tensors(Arithmetic element) : element_(element) {}

  [[nodiscard]] const RegionAddresses& regions() const { return regions_; }
  [[nodiscard]] std::int64_t bytes() const { return element_bytes(element_); }

  /// Room for `elements`, poisoned. `element_size` of 0 means this type's.
  TensorRef add(std::int64_t elements, std::int64_t element_size = 0) {
    const auto size =
        static_cast<std::size_t>(elements * (element_size == 0 ? bytes() : element_size));
    memory_.push_back({DeviceBuffer(size), std::vector<unsigned char>(size, 0xFF)});
    const auto address = reinterpret_cast<std::intptr_t>(memory_.back().device.as<std::byte>());
    return {Region::working, address};
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

  void upload() {
    for (const TensorMemory& tensor : memory_) {
      check_cuda(cudaMemcpy(tensor.device.as<void>(), tensor.host.data(), tensor.host.size(),
                            cudaMemcpyHostToDevice),
                 "cudaMemcpy");
    }
    // From pageable memory the call returns before the copy is done, and streams of tests do not
    // wait for the default stream.
    check_cuda(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize");
  }
  void download() {
    check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    for (TensorMemory& tensor : memory_) {
      check_cuda(cudaMemcpy(tensor.host.data(), tensor.device.as<void>(), tensor.host.size(),
                            cudaMemcpyDeviceToHost),
                 "cudaMemcpy");
    }
  }

 private:
  template <class T>
  unsigned char* at(const TensorRef& place, std::int64_t index) {
    const auto* const address = regions_.at(place);
    for (TensorMemory& tensor : memory_) {
      if (tensor.device.as<std::byte>() != address) continue;
      return tensor.host.data() + index * static_cast<std::int64_t>(sizeof(T));
    }
    throw std::out_of_range("a test asks for a tensor that it has not added");
  }
  template <class T>
  void put(const TensorRef& place, std::int64_t index, double value) {
    T encoded;
    encode(value, encoded);
    set_raw(place, index, encoded);
  }

  std::vector<TensorMemory> memory_;
  Arithmetic element_;
  RegionAddresses regions_;
  std::mt19937_64 random_{7};
};

/// Expects |actual − expected| ≤ tolerance · max(|expected|, 1/8): relative, but not where a result
/// is a small difference of larger numbers. `what` is a text or a function that makes one, as
/// making it for every element takes longer than comparing. Returns whether it is so.
template <class What>
bool expect_close(double actual, double expected, double relative, const What& what) {
  const double allowed = relative * std::fmax(std::fabs(expected), 0.125);
  if (std::fabs(actual - expected) <= allowed) return true;
  std::string text;
  if constexpr (std::is_invocable_v<What>) {
    text = what();
  } else {
    text = what;
  }
  ADD_FAILURE() << text << ": " << actual << ", expected " << expected << " within " << allowed;
  return false;
}

/// One line per differing element would bury the first.
inline void expect_all_close(const std::vector<double>& actual, const std::vector<double>& expected,
                             double relative, const std::string& what) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    const auto where = [&] { return what + "[" + std::to_string(i) + "]"; };
    if (!expect_close(actual[i], expected[i], relative, where)) return;
  }
}

inline constexpr Arithmetic kElementTypes[] = {Arithmetic::fp32, Arithmetic::fp16,
                                               Arithmetic::bf16};

}  // namespace mimus::kernels::cuda
