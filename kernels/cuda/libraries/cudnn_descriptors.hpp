// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cudnn.h>
#include <memory>
#include <type_traits>

#include "kernels/cuda/libraries/cudnn_error.hpp"

namespace mimus::kernels::cuda {

struct DestroyCudnn {
  void operator()(cudnnContext* handle) const noexcept { static_cast<void>(cudnnDestroy(handle)); }
  void operator()(void* descriptor) const noexcept {
    static_cast<void>(cudnnBackendDestroyDescriptor(descriptor));
  }
};
using CudnnHandle = std::unique_ptr<cudnnContext, DestroyCudnn>;
[[nodiscard]] CudnnHandle make_cudnn_handle();

/// The type tag of attributes in cuDNN's graph interface. A pointer is an address of data;
/// descriptors, which cuDNN also returns as pointers, have their own functions.
template <class Value>
constexpr cudnnBackendAttributeType_t cudnn_type_of() {
  if constexpr (std::is_same_v<Value, std::int64_t>) return CUDNN_TYPE_INT64;
  if constexpr (std::is_same_v<Value, float>) return CUDNN_TYPE_FLOAT;
  if constexpr (std::is_same_v<Value, void*>) return CUDNN_TYPE_VOID_PTR;
  if constexpr (std::is_same_v<Value, cudnnHandle_t>) return CUDNN_TYPE_HANDLE;
  if constexpr (std::is_same_v<Value, cudnnDataType_t>) return CUDNN_TYPE_DATA_TYPE;
  if constexpr (std::is_same_v<Value, cudnnConvolutionMode_t>) return CUDNN_TYPE_CONVOLUTION_MODE;
  if constexpr (std::is_same_v<Value, cudnnBackendHeurMode_t>) return CUDNN_TYPE_HEUR_MODE;
}

/// An object of cuDNN's graph interface. It gets its attributes, is finalised, and can then be
/// queried. All functions throw LibraryError; that of finalize() says what is not supported.
class CudnnDescriptor {
 public:
  explicit CudnnDescriptor(cudnnBackendDescriptorType_t type);

  template <class Value>
  void set(cudnnBackendAttributeName_t name, const Value& value) {
    set(name, cudnn_type_of<Value>(), 1, &value);
  }
  template <class Value, std::size_t N>
  void set(cudnnBackendAttributeName_t name, const std::array<Value, N>& values) {
    set(name, cudnn_type_of<Value>(), N, values.data());
  }
  void set(cudnnBackendAttributeName_t name, const CudnnDescriptor& value);
  void finalize();

  /// The number of values, of which up to `most` are written to `values`.
  std::int64_t read(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
                    std::int64_t most, void* values) const;
  [[nodiscard]] cudnnBackendDescriptor_t get() const { return descriptor_.get(); }

 private:
  void set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, std::int64_t count,
           const void* values);

  std::unique_ptr<void, DestroyCudnn> descriptor_;
};

}  // namespace mimus::kernels::cuda
