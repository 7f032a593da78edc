// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// CUDA runtime: memory and copies.
#include <cuda_runtime_api.h>

#include <fmt/format.h>

#include "tests/gpu/fake/handles.hpp"
#include "tests/gpu/fake/memory.hpp"
#include "tests/gpu/fake/settings.hpp"

using namespace mimus::fake_cuda;

namespace {

cudaError_t take(Call& call, Place place, void** memory, std::size_t bytes) {
  if (!call.safe_while_capturing()) return call.fail(cudaErrorStreamCaptureUnsupported);
  *memory = allocate(place, bytes, current_device());
  return call.fail(*memory == nullptr ? cudaErrorMemoryAllocation : cudaSuccess);
}

/// Freeing waits until the device has finished all its work.
cudaError_t give_back(Call& call, Place place, void* memory) {
  if (memory == nullptr) return cudaSuccess;
  if (!call.safe_while_capturing()) return call.fail(cudaErrorStreamCaptureUnsupported);
  Device::get().wait_idle(call.lock(), call.name());
  if (release(place, memory)) return cudaSuccess;
  return call.refuse(cudaErrorInvalidValue, "memory that was not allocated, or is freed twice");
}

/// Bytes from the beginning of the first to the end of the last of `height` rows.
std::size_t extent(std::size_t pitch, std::size_t width, std::size_t height) {
  return height == 0 ? 0 : pitch * (height - 1) + width;
}

bool sides_agree(const Call& call, const void* to, const void* from, cudaMemcpyKind kind,
                 std::size_t to_bytes, std::size_t from_bytes) {
  if (!usable(call.name(), "the target", to, to_bytes)) return false;
  if (!usable(call.name(), "the source", from, from_bytes)) return false;
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  const bool target_fits = (place_of(to, to_bytes) == Place::device) == to_device;
  const bool source_fits = (place_of(from, from_bytes) == Place::device) == from_device;
  return target_fits && source_fits;
}

std::chrono::nanoseconds time_on_link(cudaMemcpyKind kind, std::size_t bytes) {
  if (kind == cudaMemcpyDeviceToDevice || settings().link_mb_per_s == 0) return {};
  return std::chrono::nanoseconds{1000 * static_cast<std::int64_t>(bytes) /
                                  settings().link_mb_per_s};
}

}  // namespace

extern "C" {

cudaError_t cudaMalloc(void** memory, size_t bytes) {
  Call call(__func__);
  return take(call, Place::device, memory, bytes);
}

cudaError_t cudaMallocHost(void** memory, size_t bytes) {
  Call call(__func__);
  return take(call, Place::host, memory, bytes);
}

/// Each process has its own device here, so it sees only its own use.
cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  const Call call(__func__);
  *total = settings().memory;
  *free = *total - used_memory(current_device());
  return cudaSuccess;
}

cudaError_t cudaFree(void* memory) {
  Call call(__func__);
  return give_back(call, Place::device, memory);
}

cudaError_t cudaFreeHost(void* memory) {
  Call call(__func__);
  return give_back(call, Place::host, memory);
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  Call call(__func__);
  if (!sides_agree(call, to, from, kind, bytes, bytes)) {
    return call.refuse(cudaErrorInvalidValue, "memory and direction do not fit together");
  }
  return call.enqueue(stream, {.what = "copy", .duration = time_on_link(kind, bytes)});
}

cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                              size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  Call call(__func__);
  constexpr std::size_t kMostPitch = (std::size_t{1} << 31U) - 1;  // cudaDeviceProp::memPitch
  if (width > to_pitch || width > from_pitch || to_pitch > kMostPitch || from_pitch > kMostPitch) {
    return call.refuse(cudaErrorInvalidPitchValue, fmt::format("pitches {} and {} for rows of {}",
                                                               to_pitch, from_pitch, width));
  }
  if (!sides_agree(call, to, from, kind, extent(to_pitch, width, height),
                   extent(from_pitch, width, height))) {
    return call.refuse(cudaErrorInvalidValue, "memory and direction do not fit together");
  }
  return call.enqueue(stream, {.what = "2D copy"});
}

cudaError_t cudaMemset(void* memory, int /*byte*/, size_t bytes) {
  Call call(__func__);
  if (!call.safe_while_capturing()) return call.fail(cudaErrorStreamCaptureUnsupported);
  if (!on_device(__func__, "the target", memory, bytes)) return call.fail(cudaErrorInvalidValue);
  return call.enqueue(nullptr, {.what = "memset"});
}

cudaError_t cudaMemsetAsync(void* memory, int /*byte*/, size_t bytes, cudaStream_t stream) {
  Call call(__func__);
  if (!on_device(__func__, "the target", memory, bytes)) return call.fail(cudaErrorInvalidValue);
  return call.enqueue(stream, {.what = "memset"});
}

}  // extern "C"
