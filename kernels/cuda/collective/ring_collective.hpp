// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/cuda/backend/cuda_backend.hpp"
#include "kernels/cuda/collective/operation_timer.hpp"
#include "kernels/cuda/collective/stream_collective.hpp"
#include "kernels/cuda/kernels/ring_kernels.hpp"
#include "kernels/cuda/runtime/cuda_handles.hpp"
#include "kernels/cuda/runtime/cuda_memory.hpp"

namespace mimus::kernels::cuda {

/// *Emulated* communication for a machine with one GPU: what a ring does to each GPU of a gang, in
/// the time that the stated link would need, without any other member. A lost peer is therefore not
/// noticed, and members do not wait for each other.
class RingCollective final : public StreamCollective {
 public:
  explicit RingCollective(const RingOptions& options);

  [[nodiscard]] int rank() const override { return options_.rank; }
  [[nodiscard]] int size() const override { return options_.size; }
  [[nodiscard]] std::string description() const override;
  /// Works on `receive`, as fp32 whatever `arithmetic` is; `send` is not read.
  void enqueue(CollectiveOp op, const void* send, void* receive, std::int64_t bytes,
               Arithmetic arithmetic, cudaEvent_t after) override;
  [[nodiscard]] cudaEvent_t done() override { return done_.get(); }
  [[nodiscard]] Duration deadline() const override {
    return Duration::max();
  }  // no rank to wait for
  void check(WallInstant now) override;
  [[nodiscard]] std::vector<TimedOperation> take_timings() override { return timer_.take(); }

 private:
  RingOptions options_;
  Stream stream_;
  Event done_;
  OperationTimer timer_;
  DeviceBuffer arriving_;
};

}  // namespace mimus::kernels::cuda
