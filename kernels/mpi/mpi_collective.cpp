// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/mpi/mpi_collective.hpp"

#include <algorithm>

#include "kernels/mpi/mpi_error.hpp"
#include "kernels/pacing/pace_clock.hpp"

namespace mimus::kernels {
namespace {

/// Largest buffer that an operation really moves. A footprint divided by the work scale is far
/// below.
constexpr double kMaxFloats = 64.0 * kMi / sizeof(float);
/// Small transfers take microseconds, so polling starts at short intervals. A transfer that waits
/// for a late member is polled at long intervals, to leave the core to ranks that compute.
constexpr Duration kFirstPoll = std::chrono::microseconds{10};
constexpr Duration kLastPoll = std::chrono::microseconds{200};
/// Between two looks at a transfer that is over unless a group that is behind begins one before.
constexpr Duration kLookAtOthers = std::chrono::microseconds{100};

}  // namespace

MpiCollective::MpiCollective(MPI_Comm communicator, MpiCollectiveOptions options,
                             std::unique_ptr<LinkPacer> pacer)
    : communicator_(communicator), options_(options), pacer_(std::move(pacer)) {
  check_mpi(MPI_Comm_rank(communicator_, &rank_), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(communicator_, &size_), "MPI_Comm_size");
}

MpiCollective::~MpiCollective() {
  for (auto& operation : pending_) (void)operation.release();
}

std::int64_t MpiCollective::enqueue(CollectiveOp op, Bytes bytes, WallInstant ready) {
  std::unique_ptr<Operation> operation;
  if (spare_.empty()) {
    operation = std::make_unique<Operation>();
  } else {
    operation = std::move(spare_.back());
    spare_.pop_back();
  }
  operation->op = op;
  operation->bytes = bytes;
  operation->arrived = false;
  operation->begun = false;
  operation->ready_ns = (ready + options_.clock_offset).time_since_epoch().count();
  post(*operation);
  pending_.push_back(std::move(operation));
  next_poll_ = WallInstant{};
  poll_interval_ = kFirstPoll;
  return ++enqueued_;
}

void MpiCollective::post(Operation& operation) {
  if (pacer_) {
    check_mpi(MPI_Iallreduce(&operation.ready_ns, &operation.all_ready_ns, 1, MPI_INT64_T, MPI_MAX,
                             communicator_, operation.requests.data()),
              "MPI_Iallreduce");
  }
  const double floats = operation.bytes.value / options_.work_scale / sizeof(float);
  const auto per_rank = static_cast<std::size_t>(std::clamp(floats / size_, 1.0, kMaxFloats));
  post_data(operation, per_rank * static_cast<std::size_t>(size_));
}

void MpiCollective::post_data(Operation& operation, std::size_t floats) {
  operation.send.resize(floats, 0.5F);
  operation.receive.resize(floats);
  const int count = static_cast<int>(floats);
  const int share = count / size_;
  float* send = operation.send.data();
  float* receive = operation.receive.data();
  MPI_Request* request = &operation.requests[1];
  switch (operation.op) {
    case CollectiveOp::all_reduce:
      check_mpi(MPI_Iallreduce(send, receive, count, MPI_FLOAT, MPI_SUM, communicator_, request),
                "MPI_Iallreduce");
      return;
    case CollectiveOp::broadcast:
      check_mpi(MPI_Ibcast(send, count, MPI_FLOAT, 0, communicator_, request), "MPI_Ibcast");
      return;
    case CollectiveOp::all_gather:
      check_mpi(
          MPI_Iallgather(send, share, MPI_FLOAT, receive, share, MPI_FLOAT, communicator_, request),
          "MPI_Iallgather");
      return;
    case CollectiveOp::reduce_scatter:
      operation.counts.assign(static_cast<std::size_t>(size_), share);
      check_mpi(MPI_Ireduce_scatter(send, receive, operation.counts.data(), MPI_FLOAT, MPI_SUM,
                                    communicator_, request),
                "MPI_Ireduce_scatter");
      return;
    case CollectiveOp::all_to_all:
      check_mpi(
          MPI_Ialltoall(send, share, MPI_FLOAT, receive, share, MPI_FLOAT, communicator_, request),
          "MPI_Ialltoall");
      return;
    case CollectiveOp::send_recv: {  // from the previous rank of the ring to the next one
      const int next = (rank_ + 1) % size_;
      const int previous = (rank_ + size_ - 1) % size_;
      check_mpi(MPI_Isend(send, count, MPI_FLOAT, next, 0, communicator_, request), "MPI_Isend");
      check_mpi(MPI_Irecv(receive, count, MPI_FLOAT, previous, 0, communicator_, request + 1),
                "MPI_Irecv");
      return;
    }
    case CollectiveOp::transfer:
      if (rank_ == 0) {
        check_mpi(MPI_Isend(send, count, MPI_FLOAT, 1, 0, communicator_, request), "MPI_Isend");
      } else {
        check_mpi(MPI_Irecv(receive, count, MPI_FLOAT, 0, 0, communicator_, request), "MPI_Irecv");
      }
      return;
  }
}

void MpiCollective::progress(WallInstant now) {
  while (!pending_.empty()) {
    Operation& operation = *pending_.front();
    // The transfer ends by the pace clock, once the data have arrived. Only the data may be late.
    operation.arrived = operation.arrived || moved(operation);
    if (!ended(operation, now) || !operation.arrived) {
      next_poll_ = next_look(operation, now);
      return;
    }
    complete(pacer_ ? pacer_->end() : wall_now());
  }
}

/// If all members see the same book, the transfer begins without a message.
bool MpiCollective::ended(Operation& operation, WallInstant now) {
  if (!pacer_) return operation.arrived;
  if (!operation.begun) {
    if (!operation.arrived && !pacer_->route().one_host) return false;
    begin_pacing(operation);
  }
  return pacer_->advance(now);
}

WallInstant MpiCollective::next_look(const Operation& operation, WallInstant now) {
  WallInstant next = now + poll_interval_;
  if (operation.arrived && pacer_ && pacer_->under_way()) {
    const WallInstant end = pacer_->predicted_end();
    return end > now ? end : now + kLookAtOthers;
  }
  poll_interval_ = std::min(kLastPoll, poll_interval_ * 3 / 2);
  return next;
}

bool MpiCollective::moved(Operation& operation) {
  int flag = 0;
  check_mpi(MPI_Testall(static_cast<int>(operation.requests.size()), operation.requests.data(),
                        &flag, MPI_STATUSES_IGNORE),
            "MPI_Testall");
  return flag != 0;
}

void MpiCollective::begin_pacing(Operation& operation) {
  operation.begun = true;
  const auto& route = pacer_->route();
  const std::int64_t ready = route.one_host ? operation.ready_ns : operation.all_ready_ns;
  const auto on_clock = [&](Duration emulated) { return scale(emulated, wall_per_emulated_); };
  const Duration solo = on_clock(collective_time(operation.op, operation.bytes, size_, route.link));
  const Duration latency =
      on_clock(collective_latency(operation.op, operation.bytes, size_, route.link));
  pacer_->begin(WallInstant{Duration{ready} - options_.clock_offset},
                {.on_links = solo - latency, .latency = latency});
}

void MpiCollective::complete(WallInstant end) {
  end_ = end;
  ++completed_;
  spare_.push_back(std::move(pending_.front()));
  pending_.pop_front();
}

WallInstant MpiCollective::wake() const {
  return pending_.empty() ? WallInstant::max() : next_poll_;
}

/// Late data hold the clock at the instant at which they were due.
WallInstant MpiCollective::due() const {
  const bool known = !pending_.empty() && pacer_ && pacer_->under_way();
  return known ? pacer_->predicted_end() : wake();
}

/// Members of this host report their progress in the book of links. Those of other hosts are behind
/// by at most the window of the clocks.
WallInstant MpiCollective::no_earlier(WallInstant now) const {
  if (pending_.empty()) return WallInstant::max();
  const bool known =
      pacer_ && pending_.front()->begun && (pacer_->under_way() || pacer_->route().one_host);
  return known ? pacer_->no_earlier() : now - PaceClock::kWindow;
}

bool MpiCollective::awaits_members() const {
  if (pending_.empty()) return false;
  const Operation& first = *pending_.front();
  return pacer_ ? !first.begun || !pacer_->under_way() : !first.arrived;
}

void MpiCollective::quiet_until(WallInstant at) {
  if (pacer_ && pending_.empty()) pacer_->quiet_until(at);
}

void MpiCollective::busy_from(WallInstant at) {
  if (pacer_) pacer_->busy_from(at);
}

}  // namespace mimus::kernels
