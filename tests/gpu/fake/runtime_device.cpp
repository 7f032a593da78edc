// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// CUDA runtime: devices, versions, errors.
#include <array>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "tests/gpu/fake/accounting.hpp"
#include "tests/gpu/fake/handles.hpp"
#include "tests/gpu/fake/memory.hpp"
#include "tests/gpu/fake/settings.hpp"

using namespace mimus::fake_cuda;

namespace {

struct ErrorName {
  cudaError_t code;
  const char* name;
  const char* text;
};

constexpr std::array<ErrorName, 16> kErrors{{
    {cudaSuccess, "cudaSuccess", "no error"},
    {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration",
     "invalid configuration argument"},
    {cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {cudaErrorNoDevice, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    {cudaErrorInvalidDeviceFunction, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {cudaErrorNotReady, "cudaErrorNotReady", "device not ready"},
    {cudaErrorCooperativeLaunchTooLarge, "cudaErrorCooperativeLaunchTooLarge",
     "too many blocks in cooperative launch"},
    {cudaErrorStreamCaptureUnsupported, "cudaErrorStreamCaptureUnsupported",
     "operation not permitted when stream is capturing"},
    {cudaErrorStreamCaptureInvalidated, "cudaErrorStreamCaptureInvalidated",
     "operation failed due to a previous error during capture"},
    {cudaErrorStreamCaptureUnjoined, "cudaErrorStreamCaptureUnjoined",
     "capturing stream has unjoined work"},
    {cudaErrorStreamCaptureIsolation, "cudaErrorStreamCaptureIsolation",
     "dependency created on uncaptured work in another stream"},
    {cudaErrorCapturedEvent, "cudaErrorCapturedEvent",
     "operation not permitted on an event last recorded in a capturing stream"},
    {cudaErrorIllegalState, "cudaErrorIllegalState",
     "the operation cannot be performed in the present state"},
}};

const ErrorName& entry(cudaError_t code) {
  static constexpr ErrorName kUnknown{cudaErrorUnknown, "cudaErrorUnknown", "unknown error"};
  for (const ErrorName& error : kErrors) {
    if (error.code == code) return error;
  }
  return kUnknown;
}

bool exists(int device) {
  return device >= 0 && device < settings().devices;
}

}  // namespace

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  const Call call(__func__);
  *count = settings().devices;
  return call.fail(*count > 0 ? cudaSuccess : cudaErrorNoDevice);
}

cudaError_t cudaSetDevice(int device) {
  const Call call(__func__);
  if (!exists(device)) return call.fail(cudaErrorInvalidDevice);
  current_device() = device;
  return cudaSuccess;
}

cudaError_t cudaGetDevice(int* device) {
  const Call call(__func__);
  *device = current_device();
  return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  const Call call(__func__);
  if (!exists(device)) return call.fail(cudaErrorInvalidDevice);
  *properties = cudaDeviceProp{};
  const auto& names = settings().names;
  const auto index = static_cast<std::size_t>(device);
  const std::string name = index < names.size() ? names[index] : "fake H100";
  name.copy(properties->name, sizeof(properties->name) - 1);
  properties->totalGlobalMem = settings().memory;
  properties->major = kComputeMajor;
  properties->multiProcessorCount = kMultiprocessors;
  properties->pciBusID = device + 1;
  properties->l2CacheSize = 50 << 20;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  const Call call(__func__);
  if (!exists(device)) return call.fail(cudaErrorInvalidDevice);
  switch (attribute) {
    case cudaDevAttrComputeCapabilityMajor:
      *value = kComputeMajor;
      return cudaSuccess;
    case cudaDevAttrComputeCapabilityMinor:
      *value = 0;
      return cudaSuccess;
    case cudaDevAttrMaxGridDimX:
      *value = kMostBlocks;
      return cudaSuccess;
    case cudaDevAttrMultiProcessorCount:
      *value = kMultiprocessors;
      return cudaSuccess;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      *value = static_cast<int>(kSharedMost);
      return cudaSuccess;
    default:
      return call.refuse(cudaErrorInvalidValue, fmt::format("attribute {} is not in the fake",
                                                            static_cast<int>(attribute)));
  }
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  const Call call(__func__);
  *least = 0;
  *greatest = -5;
  return cudaSuccess;
}

cudaError_t cudaDeviceReset() {
  Call call(__func__);
  say_what_is_left(__func__);
  Device::get().wait_idle(call.lock(), __func__);
  call.handles.executables.clear();
  call.handles.graphs.clear();
  call.handles.events.clear();
  call.handles.streams.clear();
  forget_allocations();
  return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaPeekAtLastError() {
  return peek_last_error();
}

cudaError_t cudaGetLastError() {
  return take_last_error();
}

const char* cudaGetErrorName(cudaError_t code) {
  return entry(code).name;
}

const char* cudaGetErrorString(cudaError_t code) {
  return entry(code).text;
}

}  // extern "C"
