// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/nccl/nccl_estimates.hpp"

#include <atomic>
#include <cuda_runtime_api.h>
#include <exception>
#include <future>
#include <memory>
#include <thread>
#include <type_traits>

#include <fmt/format.h>

#include "base/error.hpp"
#include "kernels/cuda/runtime/cuda_error.hpp"
#include "kernels/nccl/nccl_error.hpp"
#include "kernels/nccl/nccl_features.hpp"

namespace mimus::kernels {
namespace {

ncclDataType_t data_type(Arithmetic arithmetic) {
  if (arithmetic == Arithmetic::fp16) return ncclFloat16;
  if (arithmetic == Arithmetic::bf16) return ncclBfloat16;
  return ncclFloat32;
}

/// This rank's share of a buffer that holds one share per rank.
template <class Pointer>
Pointer share_of(Pointer buffer, int rank, std::size_t share_bytes) {
  using Byte = std::conditional_t<std::is_const_v<std::remove_pointer_t<Pointer>>, const std::byte,
                                  std::byte>;
  return static_cast<Byte*>(buffer) + static_cast<std::size_t>(rank) * share_bytes;
}

/// Sends and receives of one group, which NCCL runs as one kernel.
class PeerGroup {
 public:
  PeerGroup(Arithmetic arithmetic, ncclComm_t communicator, cudaStream_t stream)
      : type_(data_type(arithmetic)), communicator_(communicator), stream_(stream) {}

  [[nodiscard]] bool begin() {
    first_error_ = ncclGroupStart();
    return first_error_ == ncclSuccess;
  }
  void send(const void* data, std::size_t count, int peer) {
    note(ncclSend(data, count, type_, peer, communicator_, stream_));
  }
  void receive(void* data, std::size_t count, int peer) {
    note(ncclRecv(data, count, type_, peer, communicator_, stream_));
  }
  /// Closes the group in any case. Returns the error of the first call that had one.
  [[nodiscard]] ncclResult_t end() {
    const ncclResult_t end = ncclGroupEnd();
    return first_error_ == ncclSuccess ? end : first_error_;
  }
  [[nodiscard]] ncclResult_t error() const { return first_error_; }

 private:
  void note(ncclResult_t code) {
    if (first_error_ == ncclSuccess && code != ncclInProgress) first_error_ = code;
  }

  ncclDataType_t type_;
  ncclComm_t communicator_;
  cudaStream_t stream_;
  ncclResult_t first_error_ = ncclSuccess;
};

ncclResult_t send_to_next(const NcclOperation& operation, std::size_t count, int rank, int size,
                          PeerGroup group) {
  if (!group.begin()) return group.error();
  group.send(operation.send, count, (rank + 1) % size);
  group.receive(operation.receive, count, (rank + size - 1) % size);
  return group.end();
}

/// Every member sends to every member, itself included, as nccl-tests does. Peers are taken in the
/// order of a pairwise exchange, so that no member is the first of all others.
ncclResult_t send_to_all(const NcclOperation& operation, std::size_t share, std::size_t share_bytes,
                         int rank, int size, PeerGroup group) {
  if (!group.begin()) return group.error();
  for (int step = 0; step < size; ++step) {
    const int to = (rank + step) % size;
    const int from = (rank + size - step) % size;
    group.send(share_of(operation.send, to, share_bytes), share, to);
    group.receive(share_of(operation.receive, from, share_bytes), share, from);
  }
  return group.end();
}

/// A blocking call of NCCL on a separate thread, which shares this state with the waiting caller.
/// Whichever of the two finishes last cleans up.
struct Simulation {
  std::promise<std::optional<Duration>> answer;
  std::atomic<bool> one_is_through{false};
};

std::optional<Duration> simulate(const NcclOperation& operation, const NcclMember& member,
                                 cudaStream_t stream) {
  float microseconds = 0.0F;
  check_nccl(ncclGroupStart(), "ncclGroupStart");
  const ncclResult_t call =
      call_nccl(operation, member.rank, member.size, member.communicator, stream);
  const ncclResult_t end = nccl_group_simulate_end(&microseconds);
  check_nccl(call, "ncclGroupSimulateEnd", member.communicator);
  check_nccl(end, "ncclGroupSimulateEnd", member.communicator);
  if (microseconds < 0.0F) return std::nullopt;  // NCCL_UNDEF_FLOAT
  return from_seconds(1e-6 * static_cast<double>(microseconds));
}

void answer(Simulation& simulation, const NcclOperation& operation, const NcclMember& member,
            cudaStream_t stream) {
  try {
    cuda::check_cuda(cudaSetDevice(member.device), "cudaSetDevice");
    simulation.answer.set_value(simulate(operation, member, stream));
  } catch (...) {
    simulation.answer.set_exception(std::current_exception());
  }
  if (simulation.one_is_through.exchange(true)) {
    static_cast<void>(ncclCommAbort(member.communicator));
  }
}

/// NCCL has no model of operations between two ranks, of which an all-to-all consists.
bool has_estimate(CollectiveOp op) {
  return op != CollectiveOp::send_recv && op != CollectiveOp::transfer &&
         op != CollectiveOp::all_to_all;
}

}  // namespace

ncclResult_t call_nccl(const NcclOperation& operation, int rank, int size, ncclComm_t communicator,
                       cudaStream_t stream) {
  const ncclDataType_t type = data_type(operation.arithmetic);
  const std::int64_t width = element_bytes(operation.arithmetic);
  const auto count = static_cast<std::size_t>(operation.bytes / width);
  // The remainder (fewer elements than ranks) is left out.
  const std::size_t share = count / static_cast<std::size_t>(size);
  const std::size_t share_bytes = share * static_cast<std::size_t>(width);
  const bool in_place = operation.send == operation.receive;
  const PeerGroup group(operation.arithmetic, communicator, stream);
  const void* const send = operation.send;
  void* const receive = operation.receive;
  switch (operation.op) {
    case CollectiveOp::all_reduce:
      return ncclAllReduce(send, receive, count, type, ncclSum, communicator, stream);
    case CollectiveOp::broadcast:
      return ncclBroadcast(send, receive, count, type, 0, communicator, stream);
    case CollectiveOp::all_gather:
      return ncclAllGather(in_place ? share_of(send, rank, share_bytes) : send, receive, share,
                           type, communicator, stream);
    case CollectiveOp::reduce_scatter:
      return ncclReduceScatter(send, in_place ? share_of(receive, rank, share_bytes) : receive,
                               share, type, ncclSum, communicator, stream);
    case CollectiveOp::send_recv:
      return send_to_next(operation, count, rank, size, group);
    case CollectiveOp::all_to_all:
      return send_to_all(operation, share, share_bytes, rank, size, group);
    case CollectiveOp::transfer:
      if (rank == 0) return ncclSend(send, count, type, 1, communicator, stream);
      return ncclRecv(receive, count, type, 0, communicator, stream);
  }
  throw InternalError("unknown collective operation");
}

NcclEstimates::NcclEstimates(NcclCommunicator& communicator)
    : member_{.device = communicator.device(),
              .rank = communicator.rank(),
              .size = communicator.size()},
      deadline_(communicator.deadline()) {
  if (nccl_can_simulate() && member_.size > 1) member_.communicator = communicator.split_blocking();
}

NcclEstimates::~NcclEstimates() {
  if (member_.communicator != nullptr) static_cast<void>(ncclCommAbort(member_.communicator));
}

std::optional<Duration> NcclEstimates::estimate(const NcclOperation& operation,
                                                cudaStream_t stream) {
  if (member_.communicator == nullptr || !has_estimate(operation.op)) return std::nullopt;
  const auto present = estimates_.find(key_of(operation));
  if (present != estimates_.end()) return present->second;
  return estimates_.emplace(key_of(operation), simulate_in_time(operation, stream)).first->second;
}

std::optional<Duration> NcclEstimates::known(const NcclOperation& operation) const {
  const auto present = estimates_.find(key_of(operation));
  return present == estimates_.end() ? std::nullopt : present->second;
}

NcclEstimates::Key NcclEstimates::key_of(const NcclOperation& operation) {
  return {operation.op, operation.bytes, operation.arithmetic};
}

/// A call of NCCL cannot be ended from outside, because its communicator must not be aborted while
/// a thread is in it. A call that takes too long is left to its thread, which aborts the
/// communicator when the call returns. It returns at the latest when the connections to the lost
/// member are closed.
std::optional<Duration> NcclEstimates::simulate_in_time(const NcclOperation& operation,
                                                        cudaStream_t stream) {
  const auto simulation = std::make_shared<Simulation>();
  std::future<std::optional<Duration>> result = simulation->answer.get_future();
  std::thread caller([simulation, operation, member = member_, stream] {
    answer(*simulation, operation, member, stream);
  });
  const bool in_time = result.wait_for(deadline_) == std::future_status::ready;
  if (in_time || simulation->one_is_through.exchange(true)) {
    caller.join();
    return result.get();
  }
  caller.detach();
  member_.communicator = nullptr;
  throw PeerLostError(
      fmt::format("NCCL has not returned its estimate for {} bytes for {:.1f} s (half of "
                  "engine.stage_timeout): one of the other {} members does not ask for it",
                  operation.bytes, to_seconds(deadline_), member_.size - 1));
}

}  // namespace mimus::kernels
