// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "kernels/cuda/step/device_ordered_step.hpp"

namespace mimus::kernels::cuda {

/// A data-parallel step: buckets are reduced on their own stream as soon as the backward kernel
/// before them is done, and the optimiser waits for the last of them. It is launched kernel by
/// kernel, or captured once and replayed.
class StreamStep final : public DeviceOrderedStep {
 public:
  /// `collective` may be null for a single replica. All must outlive this object.
  StreamStep(CudaReplica& replica, StreamCollective* collective, const LaunchPlan& plan);

  /// Shares the replica's weights and moments on the device, whatever the checkpoint's size.
  [[nodiscard]] std::optional<WallInstant> share_state(Bytes state, WallInstant ready,
                                                       const Poll& poll) override;

 private:
  /// Events, with times, between which the compute stream waits for communication.
  struct Waits {
    std::optional<Marks> buffers;       ///< for their broadcast
    Event computed{Event::Timing::on};  ///< last backward kernel
    Event reduced{Event::Timing::on};   ///< last bucket
  };

  void begin_run(std::size_t steps) override;
  [[nodiscard]] bool await_room(const Poll& poll) override;
  [[nodiscard]] bool enqueue_body(const Poll& poll) override;
  void watch(WallInstant now) override;
  [[nodiscard]] std::int64_t operations_per_timing() const override;
  [[nodiscard]] Duration exposed_communication(std::size_t steps) override;
  [[nodiscard]] Duration waited_besides(std::size_t steps) override;

  [[nodiscard]] bool broadcasts() const;
  [[nodiscard]] Waits make_waits() const;
  /// Replays of a graph mark the same events, so the last step represents all of them.
  [[nodiscard]] const Waits& waits_of(std::size_t step) const;
  [[nodiscard]] bool enqueue_launches(const Waits& waits, const Poll& poll);
  [[nodiscard]] bool enqueue_micro_batch(bool reduce, const Poll& poll);
  void broadcast_buffers(const Marks& marks);
  void capture_step();

  StreamCollective* collective_;
  std::vector<Waits> waits_;  ///< of the steps of a run
  Event buffers_ready_;
  Event state_shared_;
  bool has_run_ = false;    ///< a step, launch by launch
  bool replaying_ = false;  ///< the captured step
  GraphExec graph_;
  int captured_for_ = 0;    ///< reservation of the memory that the graph works on
  Waits graph_waits_;       ///< recorded by the graph
  std::size_t ended_ = 0;   ///< steps of this run
  WallInstant ended_at_{};  ///< of the last of them, or the beginning of the run
};

}  // namespace mimus::kernels::cuda
