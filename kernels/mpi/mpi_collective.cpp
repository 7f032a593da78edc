// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/mpi/mpi_collective.hpp"

#include <algorithm>

#include "kernels/mpi/mpi_error.hpp"

namespace mimus::kernels {
namespace {

/// Largest buffer an operation moves for real; a footprint divided by the work scale is far below.
constexpr double kMaxFloats = 64.0 * kMi / sizeof(float);
/// Small transfers are over in microseconds, so polling begins densely; a transfer that waits for a
/// late member is polled seldom, to leave the core to those who compute.
constexpr Duration kFirstPoll = std::chrono::microseconds{10};
constexpr Duration kLastPoll = std::chrono::microseconds{200};

}  // namespace

MpiCollective::MpiCollective(MPI_Comm communicator, MpiCollectiveOptions options, Ledger* ledger,
                             std::optional<GangRoute> route)
    : communicator_(communicator), options_(options) {
  check_mpi(MPI_Comm_rank(communicator_, &rank_), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(communicator_, &size_), "MPI_Comm_size");
  ensure(!options_.paced || (ledger != nullptr && route.has_value()),
         "paced collectives need a ledger and a route");
  if (options_.paced && ledger != nullptr) pacer_.emplace(*ledger, std::move(*route));
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
    case CollectiveOp::send_recv: {  // to the next rank of the ring, from the previous one
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
    if (!operation.arrived) {
      if (!moved(operation)) {
        next_poll_ = now + poll_interval_;
        poll_interval_ = std::min(kLastPoll, poll_interval_ * 3 / 2);
        return;
      }
      operation.arrived = true;
      if (!pacer_) {
        complete(wall_now());
        continue;
      }
      begin_pacing(operation);
    }
    if (!pacer_->advance(now)) {
      next_poll_ = std::min(pacer_->predicted_end(), now + kLastPoll);
      return;
    }
    complete(pacer_->end());
  }
}

bool MpiCollective::moved(Operation& operation) {
  int flag = 0;
  check_mpi(MPI_Testall(static_cast<int>(operation.requests.size()), operation.requests.data(),
                        &flag, MPI_STATUSES_IGNORE),
            "MPI_Testall");
  return flag != 0;
}

void MpiCollective::begin_pacing(const Operation& operation) {
  const WallInstant all_ready{Duration{operation.all_ready_ns} - options_.clock_offset};
  const Duration solo = collective_time(operation.op, operation.bytes, size_, pacer_->route().link);
  pacer_->begin(std::max(all_ready, end_), scale(solo, wall_per_emulated_));
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

}  // namespace mimus::kernels
