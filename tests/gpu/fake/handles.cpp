// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/gpu/fake/handles.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "tests/gpu/fake/settings.hpp"

namespace mimus::fake_cuda {
namespace {

thread_local cudaError_t last_error = cudaSuccess;

/// Number of commands on a stream that the driver accepts before a launch blocks.
constexpr int kMostCommands = 1024;

}  // namespace

int& current_device() {
  static thread_local int device = 0;
  return device;
}

cudaError_t take_last_error() {
  return std::exchange(last_error, cudaSuccess);
}

cudaError_t peek_last_error() {
  return last_error;
}

Handles& Handles::get() {
  static Handles& all = *new Handles;
  return all;
}

Call::Call(const char* name) : handles(Handles::get()), name_(name), lock_(Device::get().mutex) {
  if (Device::in_host_function()) complain(fmt::format("{} in a host function", name));
}

cudaError_t Call::fail(cudaError_t code) const {
  if (code != cudaSuccess) last_error = code;
  return code;
}

cudaError_t Call::refuse(cudaError_t code, const std::string& why) const {
  complain(fmt::format("{}: {}", name_, why));
  return fail(code);
}

CUstream_st* Call::stream(cudaStream_t handle) const {
  if (handle == nullptr) return &handles.legacy_stream;
  if (handles.streams.has(handle)) return handle;
  complain(fmt::format("{}: a stream that does not exist", name_));
  return nullptr;
}

CUevent_st* Call::event(cudaEvent_t handle) const {
  if (handles.events.has(handle)) return handle;
  complain(fmt::format("{}: an event that does not exist", name_));
  return nullptr;
}

bool Call::safe_while_capturing() const {
  for (const CapturePtr& capture : handles.captures) {
    const bool own = capture->thread == std::this_thread::get_id();
    const bool concerns = capture->mode == cudaStreamCaptureModeGlobal ||
                          (capture->mode == cudaStreamCaptureModeThreadLocal && own);
    if (!concerns) continue;
    capture->invalid = true;
    complain(fmt::format("{}: not permitted while a stream is captured", name_));
    return false;
  }
  return true;
}

cudaError_t Call::enqueue(cudaStream_t handle, Operation operation) {
  CUstream_st* const target = stream(handle);
  if (target == nullptr) return fail(cudaErrorInvalidResourceHandle);
  if (target->device != current_device() && handle != nullptr) {
    return refuse(cudaErrorInvalidResourceHandle, "the stream belongs to another device");
  }
  if (target->capture) {
    auto& nodes = target->capture->nodes;
    nodes.push_back({.operation = std::move(operation), .event = nullptr, .after = target->heads});
    target->heads = {nodes.size() - 1};
    return cudaSuccess;
  }
  const std::shared_ptr<int> depth = target->depth;
  Device& device = Device::get();
  if (*depth >= kMostCommands) {
    device.wait(lock_, fmt::format("{} on a stream with {} commands", name_, *depth),
                [&] { return *depth < kMostCommands; });
  }
  target->last = device.submit(std::move(operation), {target->last}, depth);
  return cudaSuccess;
}

}  // namespace mimus::fake_cuda
