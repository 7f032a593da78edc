// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <thread>

#include "kernels/cuda/collective/operation_timer.hpp"
#include "kernels/cuda/collective/stream_collective.hpp"
#include "kernels/nccl/nccl_communicator.hpp"
#include "kernels/nccl/nccl_estimates.hpp"

namespace mimus::kernels {

/// Communication of a gang through NCCL, on a stream of high priority: its kernels take the next
/// free multiprocessors, as in training frameworks.
class NcclCollective final : public cuda::StreamCollective {
 public:
  /// Whether NCCL's own estimates are recorded beside the measured times. This needs a second
  /// communicator, and device memory for it.
  enum class Estimates { off, on };
  /// Begins set-up; the first operation waits for its end.
  explicit NcclCollective(const NcclOptions& options, Estimates estimates = Estimates::off);
  /// CUDA graphs with its operations must be destroyed before, because NCCL would wait for them.
  ~NcclCollective() override;
  void begin_to_end() noexcept override;
  NcclCollective(const NcclCollective&) = delete;
  NcclCollective& operator=(const NcclCollective&) = delete;

  [[nodiscard]] int rank() const override { return communicator_.rank(); }
  [[nodiscard]] int size() const override { return communicator_.size(); }
  [[nodiscard]] std::string description() const override;

  /// Whether set-up is over; throws PeerLostError when a member did not appear within the deadline.
  [[nodiscard]] bool ready(WallInstant now);

  /// Returns once NCCL has put the operation on the stream: after some microseconds, except for the
  /// first operation of a kind, before which the members connect.
  void enqueue(CollectiveOp op, const void* send, void* receive, std::int64_t bytes,
               Arithmetic arithmetic, cudaEvent_t after) override;
  [[nodiscard]] cudaEvent_t done() override { return done_.get(); }
  [[nodiscard]] Duration deadline() const override { return deadline_; }
  void check(WallInstant now) override;
  [[nodiscard]] std::vector<cuda::TimedOperation> take_timings() override { return timer_.take(); }

  /// For all members that stay, with nothing under way. Estimates are made again.
  ResizeWay resize(const GangResize& resize);
  [[nodiscard]] NcclId resize_id(const GangResize& resize) {
    return communicator_.resize_id(resize);
  }

 private:
  [[nodiscard]] std::optional<Duration> estimate(const NcclOperation& operation);

  int device_;
  Duration deadline_;
  Estimates wanted_;
  NcclCommunicator communicator_;  // before the streams: it selects the device
  cuda::Stream stream_{cuda::Stream::Priority::high};
  cuda::Event done_;
  cuda::OperationTimer timer_;
  std::optional<NcclEstimates> estimates_;
  std::thread ending_;  ///< aborts the communicator
};

}  // namespace mimus::kernels
