// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// NCCL: operations and groups of operations.
#include <atomic>
#include <cuda_runtime_api.h>
#include <map>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tests/gpu/fake/memory.hpp"
#include "tests/gpu/fake/nccl_state.hpp"
#include "tests/gpu/fake/settings.hpp"

using namespace mimus::fake_cuda;

namespace {

/// The group of this thread.
struct Group {
  int depth = 0;
  std::vector<std::pair<ncclComm_t, NcclOperationGroup>> called;
};
thread_local Group group;

struct Buffer {
  const char* name;
  const void* data;
  std::size_t bytes;
};

ncclResult_t refuse(const char* call, const std::string& why) {
  complain(fmt::format("{}: {}", call, why));
  return ncclInvalidArgument;
}

/// Passes the calls to their communicators, as one group for each.
ncclResult_t submit(Call& call) {
  ncclResult_t result = ncclSuccess;
  for (auto& [communicator, operations] : std::exchange(group.called, {})) {
    NcclState* const state = state_of(call, communicator);
    if (state == nullptr) return ncclInvalidArgument;
    state->defer(std::move(operations));
    const ncclResult_t own = state->blocking() ? state->settle(call) : ncclInProgress;
    if (own != ncclSuccess) result = own;
  }
  return result;
}

ncclResult_t add(Call& call, ncclComm_t communicator, const NcclPart& part, cudaStream_t stream) {
  auto known = group.called.begin();
  while (known != group.called.end() && known->first != communicator) ++known;
  if (known == group.called.end()) {
    group.called.push_back({communicator, {{part}, stream}});
  } else if (known->second.stream != stream) {
    return refuse(call.name(), "two streams in a group");
  } else {
    known->second.parts.push_back(part);
  }
  return group.depth > 0 ? ncclSuccess : submit(call);
}

/// `bytes` is the size that the members must agree on.
ncclResult_t operate(const char* name, NcclPart part, std::size_t bytes, ncclDataType_t type,
                     std::initializer_list<Buffer> buffers, ncclComm_t communicator,
                     cudaStream_t stream) {
  Call call(name);
  NcclState* const state = state_of(call, communicator);
  if (state == nullptr) return ncclInvalidArgument;
  if (state->state() == ncclInProgress) return refuse(name, "the communicator is in progress");
  if (state->state() != ncclSuccess) return state->state();
  if (element_size(type) == 0) return refuse(name, "a type that Mimus does not use");
  if (part.peer < 0 || part.peer >= state->size())
    return refuse(name, "a peer that does not exist");
  const CUstream_st* const on = call.stream(stream);
  if (on == nullptr || on->device != state->device()) {
    return refuse(name, "stream and communicator of different devices");
  }
  for (const Buffer& buffer : buffers) {
    if (!usable(name, buffer.name, buffer.data, buffer.bytes)) return ncclInvalidArgument;
  }
  if (const cudaError_t left = peek_last_error(); left != cudaSuccess) {
    complain(
        fmt::format("{}: an earlier error, {}, was left behind", name, cudaGetErrorName(left)));
    return ncclUnhandledCudaError;
  }
  count(name);
  part.signature = {static_cast<std::int32_t>(part.kind), static_cast<std::int32_t>(type), bytes};
  // The two ends of a transfer call different functions.
  if (part.kind == NcclKind::receive) {
    part.signature.operation = static_cast<std::int32_t>(NcclKind::send);
  }
  return add(call, communicator, part, stream);
}

int size_of(ncclComm_t communicator) {
  const Call call("NCCL");
  const NcclState* const state = state_of(call, communicator);
  return state == nullptr ? 1 : state->size();
}

}  // namespace

extern "C" {

ncclResult_t ncclAllReduce(const void* send, void* receive, size_t count, ncclDataType_t type,
                           ncclRedOp_t /*operation*/, ncclComm_t communicator,
                           cudaStream_t stream) {
  const std::size_t bytes = count * element_size(type);
  return operate(__func__, {.kind = NcclKind::all_reduce}, bytes, type,
                 {{"what is sent", send, bytes}, {"what is received", receive, bytes}},
                 communicator, stream);
}

ncclResult_t ncclBroadcast(const void* send, void* receive, size_t count, ncclDataType_t type,
                           int root, ncclComm_t communicator, cudaStream_t stream) {
  const std::size_t bytes = count * element_size(type);
  return operate(__func__, {.kind = NcclKind::broadcast, .peer = root}, bytes, type,
                 {{"what is sent", send, bytes}, {"what is received", receive, bytes}},
                 communicator, stream);
}

ncclResult_t ncclAllGather(const void* send, void* receive, size_t count, ncclDataType_t type,
                           ncclComm_t communicator, cudaStream_t stream) {
  const std::size_t bytes = count * element_size(type);
  const std::size_t all = bytes * static_cast<std::size_t>(size_of(communicator));
  return operate(__func__, {.kind = NcclKind::all_gather}, bytes, type,
                 {{"what is sent", send, bytes}, {"what is received", receive, all}}, communicator,
                 stream);
}

ncclResult_t ncclReduceScatter(const void* send, void* receive, size_t count, ncclDataType_t type,
                               ncclRedOp_t /*operation*/, ncclComm_t communicator,
                               cudaStream_t stream) {
  const std::size_t bytes = count * element_size(type);
  const std::size_t all = bytes * static_cast<std::size_t>(size_of(communicator));
  return operate(__func__, {.kind = NcclKind::reduce_scatter}, bytes, type,
                 {{"what is sent", send, all}, {"what is received", receive, bytes}}, communicator,
                 stream);
}

ncclResult_t ncclSend(const void* send, size_t count, ncclDataType_t type, int peer,
                      ncclComm_t communicator, cudaStream_t stream) {
  const std::size_t bytes = count * element_size(type);
  return operate(__func__, {.kind = NcclKind::send, .peer = peer}, bytes, type,
                 {{"what is sent", send, bytes}}, communicator, stream);
}

ncclResult_t ncclRecv(void* receive, size_t count, ncclDataType_t type, int peer,
                      ncclComm_t communicator, cudaStream_t stream) {
  const std::size_t bytes = count * element_size(type);
  return operate(__func__, {.kind = NcclKind::receive, .peer = peer}, bytes, type,
                 {{"what is received", receive, bytes}}, communicator, stream);
}

ncclResult_t ncclGroupStart() {
  ++group.depth;
  return ncclSuccess;
}

ncclResult_t ncclGroupEnd() {
  Call call(__func__);
  if (group.depth == 0) return refuse(__func__, "no group has begun");
  return --group.depth > 0 ? ncclSuccess : submit(call);
}

/// Ends the group without running it. The first call waits for members that call late.
ncclResult_t ncclGroupSimulateEnd(ncclSimInfo_t* info) {
  static std::atomic<bool> asked{false};
  if (!asked.exchange(true)) std::this_thread::sleep_for(settings().late_estimate);
  const Call call(__func__);
  if (group.depth != 1) return refuse(__func__, "no group has begun, or one within another");
  group.depth = 0;
  constexpr float kLatency = 5.0F;  // µs
  constexpr float kBytesPerMicrosecond = 1e5F;
  std::uint64_t bytes = 0;
  for (const auto& [communicator, operations] : std::exchange(group.called, {})) {
    const NcclState* const state = state_of(call, communicator);
    if (state == nullptr || !state->blocking()) {
      return refuse(__func__, "a communicator that does not block");
    }
    for (const NcclPart& part : operations.parts) bytes += part.signature.bytes;
  }
  info->estimatedTime = kLatency + static_cast<float>(bytes) / kBytesPerMicrosecond;
  return ncclSuccess;
}

}  // extern "C"
