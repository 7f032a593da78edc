// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// CUDA runtime: streams, events and host functions.
#include <cuda_runtime_api.h>

#include "tests/gpu/fake/handles.hpp"

using namespace mimus::fake_cuda;

namespace {

/// A capturing stream must not be queried: a query invalidates the capture.
bool spoils_capture(const CUstream_st& stream) {
  if (stream.capture) stream.capture->invalid = true;
  return stream.capture != nullptr;
}

bool done(const WorkPtr& work) {
  return work == nullptr || work->done;
}

cudaError_t record(Call& call, cudaEvent_t handle, cudaStream_t on) {
  CUevent_st* const event = call.event(handle);
  CUstream_st* const stream = call.stream(on);
  if (event == nullptr || stream == nullptr) return call.fail(cudaErrorInvalidResourceHandle);
  if (event->device != stream->device && on != nullptr) {
    return call.refuse(cudaErrorInvalidResourceHandle, "event and stream of different devices");
  }
  if (stream->capture) {
    event->capture = stream->capture;
    event->heads = stream->heads;
    return cudaSuccess;
  }
  const cudaError_t code = call.enqueue(on, {.what = "event"});
  event->capture = nullptr;
  event->record = stream->last;
  return code;
}

/// Within a capture: adds a node that records the event at each launch.
cudaError_t record_external(Call& call, cudaEvent_t handle, cudaStream_t on) {
  CUevent_st* const event = call.event(handle);
  CUstream_st* const stream = call.stream(on);
  if (event == nullptr || stream == nullptr) return call.fail(cudaErrorInvalidResourceHandle);
  if (!stream->capture) {
    return call.refuse(cudaErrorIllegalState, "an external record outside a capture");
  }
  auto& nodes = stream->capture->nodes;
  nodes.push_back({.operation = {.what = "event"}, .event = event, .after = stream->heads});
  stream->heads = {nodes.size() - 1};
  return cudaSuccess;
}

/// The stream joins the capture of the event, or its next captured operation follows the event.
cudaError_t wait_captured(Call& call, CUstream_st& stream, const CUevent_st& event) {
  if (call.handles.captures.count(event.capture) == 0) {
    return call.refuse(cudaErrorCapturedEvent, "waits for an event of a capture that has ended");
  }
  if (stream.capture && stream.capture != event.capture) {
    return call.refuse(cudaErrorStreamCaptureMerge, "would merge two captures");
  }
  stream.capture = event.capture;
  stream.heads.insert(stream.heads.end(), event.heads.begin(), event.heads.end());
  return cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* result, unsigned flags, int priority) {
  const Call call(__func__);
  if (priority > 0 || priority < -5 || flags > cudaStreamNonBlocking) {
    return call.refuse(cudaErrorInvalidValue, "flags or priority out of range");
  }
  auto stream = std::make_unique<CUstream_st>();
  stream->device = current_device();
  *result = call.handles.streams.add(std::move(stream));
  return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t handle) {
  const Call call(__func__);
  CUstream_st* const stream = call.stream(handle);
  if (stream == nullptr || handle == nullptr) return call.fail(cudaErrorInvalidResourceHandle);
  if (spoils_capture(*stream)) {
    return call.refuse(cudaErrorStreamCaptureUnsupported, "the stream is captured");
  }
  call.handles.streams.remove(stream);
  return cudaSuccess;
}

cudaError_t cudaStreamQuery(cudaStream_t handle) {
  const Call call(__func__);
  const CUstream_st* const stream = call.stream(handle);
  if (stream == nullptr) return call.fail(cudaErrorInvalidResourceHandle);
  if (spoils_capture(*stream)) {
    return call.refuse(cudaErrorStreamCaptureUnsupported, "the stream is captured");
  }
  return call.fail(done(stream->last) ? cudaSuccess : cudaErrorNotReady);
}

cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  Call call(__func__);
  const CUstream_st* const stream = call.stream(handle);
  if (stream == nullptr) return call.fail(cudaErrorInvalidResourceHandle);
  if (spoils_capture(*stream)) {
    return call.refuse(cudaErrorStreamCaptureUnsupported, "the stream is captured");
  }
  const WorkPtr last = stream->last;
  Device::get().wait(call.lock(), __func__, [&] { return done(last); });
  return cudaSuccess;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t on, cudaEvent_t handle, unsigned flags) {
  Call call(__func__);
  CUstream_st* const stream = call.stream(on);
  const CUevent_st* const event = call.event(handle);
  if (stream == nullptr || event == nullptr) return call.fail(cudaErrorInvalidResourceHandle);
  if (flags != cudaEventWaitDefault) return call.refuse(cudaErrorInvalidValue, "flags");
  if (event->capture) return wait_captured(call, *stream, *event);
  if (stream->capture) {
    stream->capture->invalid = true;
    return call.refuse(cudaErrorStreamCaptureIsolation, "waits for work outside the capture");
  }
  if (done(event->record)) return cudaSuccess;
  stream->last = Device::get().submit({.what = "wait"}, {stream->last, event->record});
  return cudaSuccess;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  Call call(__func__);
  return call.enqueue(stream, {.what = "host function", .host = [=] { function(data); }});
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* result, unsigned flags) {
  const Call call(__func__);
  auto event = std::make_unique<CUevent_st>();
  event->device = current_device();
  event->timing = (flags & cudaEventDisableTiming) == 0;
  *result = call.handles.events.add(std::move(event));
  return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t handle) {
  const Call call(__func__);
  CUevent_st* const event = call.event(handle);
  if (event == nullptr) return call.fail(cudaErrorInvalidResourceHandle);
  call.handles.events.remove(event);
  return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  Call call(__func__);
  return record(call, event, stream);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  Call call(__func__);
  return flags == cudaEventRecordExternal ? record_external(call, event, stream)
                                          : record(call, event, stream);
}

cudaError_t cudaEventQuery(cudaEvent_t handle) {
  const Call call(__func__);
  const CUevent_st* const event = call.event(handle);
  if (event == nullptr) return call.fail(cudaErrorInvalidResourceHandle);
  if (event->capture)
    return call.refuse(cudaErrorCapturedEvent, "the event was recorded in a capture");
  if (!call.safe_while_capturing()) return call.fail(cudaErrorStreamCaptureUnsupported);
  return call.fail(done(event->record) ? cudaSuccess : cudaErrorNotReady);
}

cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
  Call call(__func__);
  const CUevent_st* const event = call.event(handle);
  if (event == nullptr) return call.fail(cudaErrorInvalidResourceHandle);
  if (event->capture)
    return call.refuse(cudaErrorCapturedEvent, "the event was recorded in a capture");
  if (!call.safe_while_capturing()) return call.fail(cudaErrorStreamCaptureUnsupported);
  const WorkPtr record = event->record;
  Device::get().wait(call.lock(), __func__, [&] { return done(record); });
  return cudaSuccess;
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t from, cudaEvent_t to) {
  const Call call(__func__);
  const CUevent_st* const begin = call.event(from);
  const CUevent_st* const end = call.event(to);
  if (begin == nullptr || end == nullptr) return call.fail(cudaErrorInvalidResourceHandle);
  if (begin->capture || end->capture) {
    return call.refuse(cudaErrorCapturedEvent, "an event was recorded in a capture");
  }
  if (!begin->timing || !end->timing) {
    return call.refuse(cudaErrorInvalidResourceHandle, "an event without timing");
  }
  if (begin->record == nullptr || end->record == nullptr) {
    return call.fail(cudaErrorInvalidResourceHandle);
  }
  if (!begin->record->done || !end->record->done) return call.fail(cudaErrorNotReady);
  const std::chrono::duration<float, std::milli> time = end->record->ended - begin->record->ended;
  *milliseconds = time.count();
  return cudaSuccess;
}

}  // extern "C"
