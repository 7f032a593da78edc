// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/libraries/cudnn_descriptors.hpp"

namespace mimus::kernels::cuda {

CudnnHandle make_cudnn_handle() {
  cudnnHandle_t handle = nullptr;
  check_cudnn(cudnnCreate(&handle), "cudnnCreate");
  return CudnnHandle(handle);
}

CudnnDescriptor::CudnnDescriptor(cudnnBackendDescriptorType_t type) {
  cudnnBackendDescriptor_t descriptor = nullptr;
  check_cudnn(cudnnBackendCreateDescriptor(type, &descriptor), "cudnnBackendCreateDescriptor");
  descriptor_.reset(descriptor);
}

void CudnnDescriptor::set(cudnnBackendAttributeName_t name, const CudnnDescriptor& value) {
  const cudnnBackendDescriptor_t raw = value.get();
  set(name, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &raw);
}

void CudnnDescriptor::set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
                          std::int64_t count, const void* values) {
  check_cudnn(cudnnBackendSetAttribute(get(), name, type, count, values),
              "cudnnBackendSetAttribute");
}

void CudnnDescriptor::finalize() {
  check_cudnn(cudnnBackendFinalize(get()), "cudnnBackendFinalize");
}

std::int64_t CudnnDescriptor::read(cudnnBackendAttributeName_t name,
                                   cudnnBackendAttributeType_t type, std::int64_t most,
                                   void* values) const {
  std::int64_t count = 0;
  check_cudnn(cudnnBackendGetAttribute(get(), name, type, most, &count, values),
              "cudnnBackendGetAttribute");
  return count;
}

}  // namespace mimus::kernels::cuda
