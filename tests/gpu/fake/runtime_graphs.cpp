// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// CUDA runtime: stream capture and graphs.
#include <algorithm>
#include <cuda_runtime_api.h>
#include <string_view>
#include <utility>

#include "tests/gpu/fake/handles.hpp"
#include "tests/gpu/fake/settings.hpp"

using namespace mimus::fake_cuda;

namespace {

/// Whether everything on the capture's streams precedes the next operation of its origin.
bool joined(const Handles& handles, const Capture& capture) {
  std::vector<bool> before(capture.nodes.size());
  std::vector<std::size_t> open = capture.origin->heads;
  while (!open.empty()) {
    const std::size_t node = open.back();
    open.pop_back();
    if (before[node]) continue;
    before[node] = true;
    open.insert(open.end(), capture.nodes[node].after.begin(), capture.nodes[node].after.end());
  }
  return std::all_of(handles.streams.begin(), handles.streams.end(), [&](const auto* stream) {
    if (stream->capture.get() != &capture) return true;
    return std::all_of(stream->heads.begin(), stream->heads.end(),
                       [&](std::size_t head) { return before[head]; });
  });
}

void end(Handles& handles, const CapturePtr& capture) {
  for (CUstream_st* stream : handles.streams) {
    if (stream->capture != capture) continue;
    stream->capture = nullptr;
    stream->heads.clear();
  }
  handles.captures.erase(capture);
}

/// One launch: a fresh copy of each node, which follows its predecessors. A node without
/// predecessors follows the stream.
WorkPtr launch(const Call& call, const CUgraphExec_st& graph, const WorkPtr& before) {
  Device& device = Device::get();
  std::vector<WorkPtr> works;
  works.reserve(graph.nodes.size());
  const WorkPtr begin = device.submit({.what = "begin of a graph"}, {before, graph.last});
  std::vector<WorkPtr> all{begin};
  for (const GraphNode& node : graph.nodes) {
    std::vector<WorkPtr> after;
    for (const std::size_t one : node.after) after.push_back(works[one]);
    if (after.empty()) after.push_back(begin);
    works.push_back(device.submit(node.operation, after));
    all.push_back(works.back());
    if (node.event == nullptr) continue;
    if (call.handles.events.has(node.event)) {
      node.event->record = works.back();
    } else {
      complain("cudaGraphLaunch: the graph marks an event that was destroyed");
    }
  }
  return device.submit({.what = "graph"}, all);
}

}  // namespace

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode mode) {
  const Call call(__func__);
  CUstream_st* const stream = call.stream(handle);
  if (stream == nullptr) return call.fail(cudaErrorInvalidResourceHandle);
  if (handle == nullptr || stream->capture) {
    return call.refuse(cudaErrorIllegalState, "the default stream, or a stream that is captured");
  }
  static unsigned long long last_number = 0;
  auto capture = std::make_shared<Capture>();
  capture->number = ++last_number;
  capture->mode = mode;
  capture->thread = std::this_thread::get_id();
  capture->origin = stream;
  stream->capture = capture;
  call.handles.captures.insert(capture);
  return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t* result) {
  const Call call(__func__);
  *result = nullptr;
  CUstream_st* const stream = call.stream(handle);
  if (stream == nullptr) return call.fail(cudaErrorInvalidResourceHandle);
  const CapturePtr capture = stream->capture;
  if (!capture || capture->origin != stream) {
    return call.refuse(cudaErrorStreamCaptureUnmatched, "the capture did not begin here");
  }
  if (capture->mode != cudaStreamCaptureModeRelaxed &&
      capture->thread != std::this_thread::get_id()) {
    return call.refuse(cudaErrorStreamCaptureWrongThread, "another thread began the capture");
  }
  const bool complete = joined(call.handles, *capture);
  end(call.handles, capture);
  if (capture->invalid) return call.fail(cudaErrorStreamCaptureInvalidated);
  if (!complete) return call.fail(cudaErrorStreamCaptureUnjoined);
  auto graph = std::make_unique<CUgraph_st>();
  graph->nodes = std::move(capture->nodes);
  *result = call.handles.graphs.add(std::move(graph));
  return cudaSuccess;
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t handle, cudaStreamCaptureStatus* status,
                                     unsigned long long* number, cudaGraph_t*,
                                     const cudaGraphNode_t**, const cudaGraphEdgeData**, size_t*) {
  const Call call(__func__);
  const CUstream_st* const stream = call.stream(handle);
  if (stream == nullptr) return call.fail(cudaErrorInvalidResourceHandle);
  *status = cudaStreamCaptureStatusNone;
  if (!stream->capture) return cudaSuccess;
  *status =
      stream->capture->invalid ? cudaStreamCaptureStatusInvalidated : cudaStreamCaptureStatusActive;
  if (number != nullptr) *number = stream->capture->number;
  return cudaSuccess;
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  const Call call(__func__);
  if (!call.handles.graphs.has(graph)) {
    return call.refuse(cudaErrorInvalidValue, "a graph that does not exist");
  }
  const std::size_t room = nodes == nullptr ? 0 : std::min(*count, graph->nodes.size());
  for (std::size_t i = 0; i < room; ++i) {
    nodes[i] = reinterpret_cast<cudaGraphNode_t>(&graph->nodes[i]);
  }
  *count = nodes == nullptr ? graph->nodes.size() : room;
  return cudaSuccess;
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  const Call call(__func__);
  const std::string_view what = reinterpret_cast<const GraphNode*>(node)->operation.what;
  *type = what == "event"           ? cudaGraphNodeTypeEventRecord
          : what.ends_with("copy")  ? cudaGraphNodeTypeMemcpy
          : what == "memset"        ? cudaGraphNodeTypeMemset
          : what == "host function" ? cudaGraphNodeTypeHost
                                    : cudaGraphNodeTypeKernel;
  return cudaSuccess;
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* result, cudaGraph_t graph,
                                          unsigned long long /*flags*/) {
  const Call call(__func__);
  if (!call.handles.graphs.has(graph)) {
    return call.refuse(cudaErrorInvalidValue, "a graph that does not exist");
  }
  auto executable = std::make_unique<CUgraphExec_st>();
  executable->nodes = graph->nodes;
  *result = call.handles.executables.add(std::move(executable));
  return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t handle) {
  const Call call(__func__);
  CUstream_st* const stream = call.stream(handle);
  if (stream == nullptr || !call.handles.executables.has(graph)) {
    return call.refuse(cudaErrorInvalidValue, "a graph or a stream that does not exist");
  }
  if (stream->capture) {
    return call.refuse(cudaErrorStreamCaptureUnsupported, "a graph within a capture");
  }
  count("graph launch");
  for (const GraphNode& node : graph->nodes) count(std::string("replayed ") + node.operation.what);
  graph->last = stream->last = launch(call, *graph, stream->last);
  return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  const Call call(__func__);
  if (call.handles.graphs.remove(graph)) return cudaSuccess;
  return call.refuse(cudaErrorInvalidValue, "a graph that does not exist");
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph) {
  const Call call(__func__);
  if (call.handles.executables.remove(graph)) return cudaSuccess;
  return call.refuse(cudaErrorInvalidValue, "a graph that does not exist");
}

}  // extern "C"
