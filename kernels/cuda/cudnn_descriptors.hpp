// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cudnn.h>
#include <memory>
#include <type_traits>

#include "kernels/cuda/cudnn_error.hpp"
#include "kernels/launch.hpp"

namespace mimus::kernels::cuda {

struct DestroyCudnn {
  void operator()(cudnnContext* handle) const noexcept { static_cast<void>(cudnnDestroy(handle)); }
  void operator()(cudnnTensorStruct* tensor) const noexcept {
    static_cast<void>(cudnnDestroyTensorDescriptor(tensor));
  }
  void operator()(cudnnFilterStruct* filter) const noexcept {
    static_cast<void>(cudnnDestroyFilterDescriptor(filter));
  }
  void operator()(cudnnConvolutionStruct* convolution) const noexcept {
    static_cast<void>(cudnnDestroyConvolutionDescriptor(convolution));
  }
};
template <class Handle>
using OwnedByCudnn = std::unique_ptr<std::remove_pointer_t<Handle>, DestroyCudnn>;

template <class Handle>
OwnedByCudnn<Handle> make(cudnnStatus_t (*create)(Handle*), const char* call) {
  Handle handle = nullptr;
  check_cudnn(create(&handle), call);
  return OwnedByCudnn<Handle>(handle);
}

/// What cuDNN is told of a convolution: "same" padding, channels innermost, sums in fp32.
struct ConvolutionDescriptors {
  OwnedByCudnn<cudnnTensorDescriptor_t> input =
      make(&cudnnCreateTensorDescriptor, "cudnnCreateTensorDescriptor");
  OwnedByCudnn<cudnnTensorDescriptor_t> output =
      make(&cudnnCreateTensorDescriptor, "cudnnCreateTensorDescriptor");
  OwnedByCudnn<cudnnFilterDescriptor_t> filter =
      make(&cudnnCreateFilterDescriptor, "cudnnCreateFilterDescriptor");
  OwnedByCudnn<cudnnConvolutionDescriptor_t> convolution =
      make(&cudnnCreateConvolutionDescriptor, "cudnnCreateConvolutionDescriptor");
  explicit ConvolutionDescriptors(const Convolution& c);
};

}  // namespace mimus::kernels::cuda
