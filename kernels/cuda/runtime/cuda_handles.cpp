// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/runtime/cuda_handles.hpp"

#include <algorithm>
#include <vector>

#include "kernels/cuda/runtime/cuda_error.hpp"

namespace mimus::kernels::cuda {
namespace {

std::optional<unsigned long long> capture_of(cudaStream_t stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  unsigned long long number = 0;
  check_cuda(cudaStreamGetCaptureInfo(stream, &status, &number), "cudaStreamGetCaptureInfo");
  if (status == cudaStreamCaptureStatusNone) return std::nullopt;
  return number;
}

/// Whether a query says that the device has passed the event. Throws on other errors.
bool arrived(cudaError_t code, const char* call) {
  if (code != cudaErrorNotReady) {
    check_cuda(code, call);
    return true;
  }
  // CUDA remembers "not ready" as the last error, and it would look like a launch failure.
  static_cast<void>(cudaGetLastError());
  return false;
}

}  // namespace

void Release::operator()(cudaStream_t stream) const noexcept {
  static_cast<void>(cudaStreamDestroy(stream));
}
void Release::operator()(cudaEvent_t event) const noexcept {
  static_cast<void>(cudaEventDestroy(event));
}
void Release::operator()(cudaGraph_t graph) const noexcept {
  static_cast<void>(cudaGraphDestroy(graph));
}
void Release::operator()(cudaGraphExec_t graph) const noexcept {
  static_cast<void>(cudaGraphExecDestroy(graph));
}

Stream::Stream(Priority priority) {
  int least = 0;
  int greatest = 0;  // the highest priority is the lowest number
  check_cuda(cudaDeviceGetStreamPriorityRange(&least, &greatest),
             "cudaDeviceGetStreamPriorityRange");
  cudaStream_t stream = nullptr;
  check_cuda(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking,
                                          priority == Priority::high ? greatest : least),
             "cudaStreamCreateWithPriority");
  handle_.reset(stream);
}

Stream Stream::for_communication(int device) {
  check_cuda(cudaSetDevice(device), "cudaSetDevice");
  return Stream(Priority::high);
}

void Stream::wait(cudaEvent_t event) const {
  check_cuda(cudaStreamWaitEvent(handle_.get(), event, cudaEventWaitDefault),
             "cudaStreamWaitEvent");
}

void Stream::synchronize() const {
  check_cuda(cudaStreamSynchronize(handle_.get()), "cudaStreamSynchronize");
}

bool Stream::idle() const {
  return arrived(cudaStreamQuery(handle_.get()), "cudaStreamQuery");
}

std::optional<unsigned long long> Stream::capture() const {
  return capture_of(handle_.get());
}

Event::Event(Timing timing) {
  cudaEvent_t event = nullptr;
  const unsigned flags = timing == Timing::on ? cudaEventDefault : cudaEventDisableTiming;
  check_cuda(cudaEventCreateWithFlags(&event, flags), "cudaEventCreateWithFlags");
  handle_.reset(event);
}

void Event::record(cudaStream_t stream) const {
  recorded_ = true;
  check_cuda(cudaEventRecord(handle_.get(), stream), "cudaEventRecord");
}

void Event::record_in_capture(cudaStream_t stream) const {
  recorded_ = true;
  const unsigned flags = capture_of(stream) ? cudaEventRecordExternal : cudaEventRecordDefault;
  check_cuda(cudaEventRecordWithFlags(handle_.get(), stream, flags), "cudaEventRecordWithFlags");
}

bool Event::passed() const {
  return arrived(cudaEventQuery(handle_.get()), "cudaEventQuery");
}

void Event::synchronize() const {
  check_cuda(cudaEventSynchronize(handle_.get()), "cudaEventSynchronize");
}

std::optional<Duration> elapsed(const Event& begin, const Event& end) {
  float milliseconds = 0.0F;
  const cudaError_t code = cudaEventElapsedTime(&milliseconds, begin.get(), end.get());
  if (code == cudaErrorInvalidResourceHandle) {  // not recorded: its graph has not run yet
    static_cast<void>(cudaGetLastError());
    return std::nullopt;
  }
  if (!arrived(code, "cudaEventElapsedTime")) return std::nullopt;
  return from_seconds(static_cast<double>(milliseconds) / 1e3);
}

Graph Graph::capture(cudaStream_t stream, const std::function<void()>& enqueue) {
  check_cuda(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal),
             "cudaStreamBeginCapture");
  Graph graph;
  const auto end = [&] {
    cudaGraph_t handle = nullptr;
    const cudaError_t code = cudaStreamEndCapture(stream, &handle);
    graph.handle_.reset(handle);
    return code;
  };
  try {
    enqueue();
  } catch (...) {
    static_cast<void>(end());  // the exception in flight says more than an error of this call
    throw;
  }
  check_cuda(end(), "cudaStreamEndCapture");
  return graph;
}

std::int64_t Graph::kernels() const {
  std::size_t count = 0;
  check_cuda(cudaGraphGetNodes(handle_.get(), nullptr, &count), "cudaGraphGetNodes");
  std::vector<cudaGraphNode_t> nodes(count);
  check_cuda(cudaGraphGetNodes(handle_.get(), nodes.data(), &count), "cudaGraphGetNodes");
  return std::count_if(nodes.begin(), nodes.end(), [](cudaGraphNode_t node) {
    cudaGraphNodeType type{};
    check_cuda(cudaGraphNodeGetType(node, &type), "cudaGraphNodeGetType");
    return type == cudaGraphNodeTypeKernel;
  });
}

GraphExec::GraphExec(const Graph& graph) {
  cudaGraphExec_t exec = nullptr;
  check_cuda(cudaGraphInstantiateWithFlags(&exec, graph.get(), 0), "cudaGraphInstantiateWithFlags");
  handle_.reset(exec);
}

void GraphExec::launch(cudaStream_t stream) const {
  check_cuda(cudaGraphLaunch(handle_.get(), stream), "cudaGraphLaunch");
}

}  // namespace mimus::kernels::cuda
