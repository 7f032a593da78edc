// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "kernels/cuda/cuda_handles.hpp"
#include "kernels/cuda/cuda_replica.hpp"
#include "kernels/cuda/launch_window.hpp"
#include "kernels/cuda/stream_collective.hpp"
#include "kernels/launch_plan.hpp"
#include "kernels/training_step.hpp"

namespace mimus::kernels::cuda {

/// A step whose streams the device orders by events: the host runs ahead, buckets are reduced on a
/// stream of their own as soon as the backward kernel before them is done, the optimiser waits for
/// the last of them, and the next input is copied on a third stream.
class StreamStep final : public TrainingStep {
 public:
  /// `collective` may be null for a single replica. All must outlive this object.
  StreamStep(CudaReplica& replica, StreamCollective* collective, const LaunchPlan& plan);

  [[nodiscard]] std::optional<StepOutcome> run(WallInstant begin, const Poll& poll) override;
  [[nodiscard]] StepStage stage() const override { return stage_; }

 private:
  /// Marks of one step on the compute stream, with times.
  struct Marks {
    Event begin{Event::Timing::on};
    Event computed{Event::Timing::on};  ///< last backward kernel
    Event reduced{Event::Timing::on};   ///< last bucket
    Event end{Event::Timing::on};
  };

  [[nodiscard]] bool enqueue_step(Marks& marks, const Poll& poll);
  [[nodiscard]] bool enqueue_body(Marks& marks, const Poll& poll);
  [[nodiscard]] bool enqueue_micro_batch(bool reduce, const Poll& poll);
  [[nodiscard]] bool enqueue(const Launch& launch, const Poll& poll);
  [[nodiscard]] bool enqueue_bucket(std::size_t bucket, const Poll& poll);
  [[nodiscard]] bool copy_buckets_back(const Poll& poll);
  void broadcast_buffers();
  [[nodiscard]] float* bucket_buffers() const;
  void capture_step();
  void mark(const Event& event);
  [[nodiscard]] bool wait_for(const Event& event, const Poll& poll);
  [[nodiscard]] bool abandoned(WallInstant now, const Poll& poll);
  void watch_replays(WallInstant now);
  void report_collectives();
  [[nodiscard]] StepOutcome outcome(WallInstant begin, std::size_t steps);

  CudaReplica& replica_;
  StreamCollective* collective_;
  const LaunchPlan& plan_;
  StepStage stage_ = StepStage::idle;
  LaunchWindow window_;
  std::vector<Marks> marks_;  ///< of the steps that run() executes behind one another
  std::vector<Event> ready_;  ///< per bucket: copied into its buffer
  Event buffers_ready_;
  Event input_copied_;
  bool has_run_ = false;    ///< a step, launch by launch
  bool replaying_ = false;  ///< the captured step
  GraphExec graph_;
  int captured_for_ = 0;  ///< reservation of the memory that the graph works on
  Marks graph_marks_;     ///< that the graph records
  bool capturing_ = false;
  std::size_t enqueued_ = 0;  ///< steps of this run
  std::size_t ended_ = 0;     ///< of these
  WallInstant ended_at_{};    ///< the last of them, or the begin of the run
  WallInstant last_check_{};
};

}  // namespace mimus::kernels::cuda
