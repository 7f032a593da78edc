// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Of cuDNN: descriptors, handles and versions.
#include "tests/gpu/fake/cudnn_descriptors.hpp"

#include <string>

#include "tests/gpu/fake/handles.hpp"
#include "tests/gpu/fake/settings.hpp"

// cuDNN 9 marks the interface deprecated that Mimus uses.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

using namespace mimus::fake_cuda;

namespace {

template <class Object>
cudnnStatus_t create(const char* name, Object** result) {
  const Call call(name);
  *result = new Object;
  call.handles.others.emplace("cuDNN objects", *result);
  return CUDNN_STATUS_SUCCESS;
}

template <class Object>
cudnnStatus_t destroy(const char* name, Object* object) {
  const Call call(name);
  if (call.handles.others.erase({"cuDNN objects", object}) == 0) {
    complain(std::string(name) + ": no such object");
    return CUDNN_STATUS_BAD_PARAM;
  }
  delete object;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t done(bool valid, const char* name) {
  if (valid) return CUDNN_STATUS_SUCCESS;
  complain(std::string(name) + ": a size, layout or mode that is not possible");
  return CUDNN_STATUS_BAD_PARAM;
}

}  // namespace

extern "C" {

cudnnStatus_t cudnnCreate(cudnnHandle_t* handle) {
  return create(__func__, handle);
}
cudnnStatus_t cudnnDestroy(cudnnHandle_t handle) {
  return destroy(__func__, handle);
}
cudnnStatus_t cudnnSetStream(cudnnHandle_t handle, cudaStream_t stream) {
  const Call call(__func__);
  handle->stream = stream;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnGetProperty(libraryPropertyType type, int* value) {
  *value = type == MAJOR_VERSION   ? CUDNN_MAJOR
           : type == MINOR_VERSION ? CUDNN_MINOR
                                   : CUDNN_PATCHLEVEL;
  return CUDNN_STATUS_SUCCESS;
}
const char* cudnnGetErrorString(cudnnStatus_t status) {
  return status == CUDNN_STATUS_SUCCESS ? "success" : "an error that the fake returned";
}

cudnnStatus_t cudnnCreateTensorDescriptor(cudnnTensorDescriptor_t* tensor) {
  return create(__func__, tensor);
}
cudnnStatus_t cudnnDestroyTensorDescriptor(cudnnTensorDescriptor_t tensor) {
  return destroy(__func__, tensor);
}
cudnnStatus_t cudnnSetTensor4dDescriptor(cudnnTensorDescriptor_t tensor, cudnnTensorFormat_t format,
                                         cudnnDataType_t type, int n, int c, int h, int w) {
  *tensor = {type, static_cast<std::size_t>(n), static_cast<std::size_t>(c),
             static_cast<std::size_t>(h), static_cast<std::size_t>(w)};
  return done(format == CUDNN_TENSOR_NHWC && n > 0 && c > 0 && h > 0 && w > 0, __func__);
}

cudnnStatus_t cudnnCreateFilterDescriptor(cudnnFilterDescriptor_t* filter) {
  return create(__func__, filter);
}
cudnnStatus_t cudnnDestroyFilterDescriptor(cudnnFilterDescriptor_t filter) {
  return destroy(__func__, filter);
}
cudnnStatus_t cudnnSetFilter4dDescriptor(cudnnFilterDescriptor_t filter, cudnnDataType_t type,
                                         cudnnTensorFormat_t format, int out, int in, int h,
                                         int w) {
  *filter = {type, static_cast<std::size_t>(out), static_cast<std::size_t>(in),
             static_cast<std::size_t>(h), static_cast<std::size_t>(w)};
  return done(format == CUDNN_TENSOR_NHWC && out > 0 && in > 0 && h > 0 && w > 0, __func__);
}

cudnnStatus_t cudnnCreateConvolutionDescriptor(cudnnConvolutionDescriptor_t* convolution) {
  return create(__func__, convolution);
}
cudnnStatus_t cudnnDestroyConvolutionDescriptor(cudnnConvolutionDescriptor_t convolution) {
  return destroy(__func__, convolution);
}
cudnnStatus_t cudnnSetConvolution2dDescriptor(cudnnConvolutionDescriptor_t convolution, int pad_h,
                                              int pad_w, int stride_h, int stride_w, int dilation_h,
                                              int dilation_w, cudnnConvolutionMode_t mode,
                                              cudnnDataType_t compute) {
  *convolution = {pad_h, pad_w, stride_h, stride_w};
  return done(pad_h >= 0 && pad_w >= 0 && stride_h > 0 && stride_w > 0 && dilation_h == 1 &&
                  dilation_w == 1 && mode == CUDNN_CROSS_CORRELATION && compute == CUDNN_DATA_FLOAT,
              __func__);
}
cudnnStatus_t cudnnSetConvolutionMathType(cudnnConvolutionDescriptor_t convolution,
                                          cudnnMathType_t math) {
  convolution->math = math;
  return CUDNN_STATUS_SUCCESS;
}

}  // extern "C"
