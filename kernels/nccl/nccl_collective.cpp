// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/nccl/nccl_collective.hpp"

#include <cuda_runtime_api.h>
#include <system_error>

#include <fmt/format.h>

#include "base/error.hpp"
#include "kernels/nccl/nccl_backend.hpp"
#include "kernels/nccl/nccl_error.hpp"

namespace mimus::kernels {
namespace {

const char* stage_name(CollectiveOp op) {
  switch (op) {
    case CollectiveOp::all_reduce:
      return "all-reduce";
    case CollectiveOp::broadcast:
      return "broadcast";
    case CollectiveOp::all_gather:
      return "all-gather";
    case CollectiveOp::reduce_scatter:
      return "reduce-scatter";
    case CollectiveOp::all_to_all:
      return "all-to-all";
    case CollectiveOp::send_recv:
      return "send and receive";
    case CollectiveOp::transfer:
      return "transfer";
  }
  throw InternalError("unknown collective operation");
}

}  // namespace

NcclCollective::NcclCollective(const NcclOptions& options, Estimates estimates)
    : device_(options.device),
      deadline_(options.deadline),
      wanted_(estimates),
      communicator_(options, options.joins ? NcclCommunicator::Entry::joining
                                           : NcclCommunicator::Entry::founding),
      timer_(options.size) {}

NcclCollective::~NcclCollective() {
  // Its kernels may be waiting for a peer. They must be told to end before their stream is
  // destroyed, and before the second communicator frees memory, which waits for the device.
  begin_to_end();
  estimates_.reset();
  if (ending_.joinable()) ending_.join();
}

/// Aborts on a separate thread. The abort first tells the kernels to end and finally waits for the
/// device. The device may need to hear the same from other communicators.
void NcclCollective::begin_to_end() noexcept {
  if (ending_.joinable()) return;
  try {
    ending_ = std::thread([this] {
      static_cast<void>(cudaSetDevice(device_));
      communicator_.abort();
    });
  } catch (const std::system_error&) {  // no thread can be started
    communicator_.abort();
  }
}

std::string NcclCollective::description() const {
  return fmt::format("NCCL {}", nccl_version());
}

bool NcclCollective::ready(WallInstant now) {
  return communicator_.poll(now) == Progress::ready;
}

void NcclCollective::enqueue(CollectiveOp op, const void* send, void* receive, std::int64_t bytes,
                             Arithmetic arithmetic, cudaEvent_t after) {
  communicator_.settle();
  const NcclOperation operation{op, send, receive, bytes, arithmetic};
  stream_.wait(after);  // the stream thus joins a capture that `after` belongs to
  timer_.begin(stream_, op, bytes, estimate(operation));
  communicator_.begin_stage(stage_name(op), wall_now());
  check_nccl(call_nccl(operation, rank(), size(), communicator_.get(), stream_.get()),
             stage_name(op), communicator_.get());
  // An event recorded before NCCL's thread has enqueued the operation would precede it.
  communicator_.settle();
  timer_.end(stream_);
  done_.record(stream_.get());
}

std::optional<Duration> NcclCollective::estimate(const NcclOperation& operation) {
  if (wanted_ == Estimates::off) return std::nullopt;
  const bool capturing = stream_.capturing();
  if (!estimates_ && capturing) return std::nullopt;
  if (!estimates_) estimates_.emplace(communicator_);
  return capturing ? estimates_->known(operation) : estimates_->estimate(operation, stream_.get());
}

void NcclCollective::check(WallInstant now) {
  static_cast<void>(communicator_.poll(now));
  timer_.check(now, deadline_, description());
}

ResizeWay NcclCollective::resize(const GangResize& resize) {
  estimates_.reset();
  const ResizeWay way = communicator_.resize(resize);
  timer_ = cuda::OperationTimer(resize.size);
  return way;
}

}  // namespace mimus::kernels
