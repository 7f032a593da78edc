// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "kernels/cuda/collective/stream_collective.hpp"
#include "kernels/cuda/runtime/cuda_handles.hpp"
#include "kernels/cuda/runtime/launch_window.hpp"
#include "kernels/cuda/step/cuda_replica.hpp"
#include "kernels/cuda/step/input_reader.hpp"
#include "kernels/plan/launch_plan.hpp"
#include "kernels/training_step.hpp"

namespace mimus::kernels::cuda {

/// A step whose streams the device orders by events. The host runs ahead of it and can abandon any
/// wait, and the next input is copied on its own stream. Derived classes decide what a step
/// computes and communicates.
class DeviceOrderedStep : public TrainingStep {
 public:
  [[nodiscard]] std::optional<StepOutcome> run(WallInstant begin, const Poll& poll) final;
  [[nodiscard]] StepStage stage() const final { return stage_; }

 protected:
  /// Of one step on the compute stream, with times.
  struct Marks {
    Event begin{Event::Timing::on};
    Event end{Event::Timing::on};
  };

  /// None of the `collectives` may be null. All must outlive this object.
  DeviceOrderedStep(CudaReplica& replica, std::vector<StreamCollective*> collectives,
                    const LaunchPlan& plan);

  // Decisions of derived classes. Functions that return bool return false when `poll` abandoned
  // them.

  /// Called before the first of `steps` steps that run one after another.
  virtual void begin_run(std::size_t /*steps*/) {}
  /// Waits while a further step would be too far ahead of the device.
  [[nodiscard]] virtual bool await_room(const Poll& /*poll*/) { return true; }
  /// Puts one step on the streams. At its end the compute stream has waited for all of it.
  [[nodiscard]] virtual bool enqueue_body(const Poll& poll) = 0;
  /// Called once a millisecond while the host waits, in addition to checking the collectives.
  virtual void watch(WallInstant /*now*/) {}
  /// The number of operations of a run that each timed one represents.
  [[nodiscard]] virtual std::int64_t operations_per_timing() const { return 1; }
  /// How long the compute stream waited for communication in all steps of a run that has ended.
  [[nodiscard]] virtual Duration exposed_communication(std::size_t steps) = 0;
  /// How long it waited for other reasons than exposed communication; likewise.
  [[nodiscard]] virtual Duration waited_besides(std::size_t steps) = 0;

  [[nodiscard]] bool enqueue(const Launch& launch, const Poll& poll);
  /// Copies spilled memory before the forward pass of a micro-batch, counted from 0. No kernel runs
  /// meanwhile.
  [[nodiscard]] bool copy_spilled(std::size_t micro_batch, const Poll& poll);
  /// Marks a time on the compute stream. A captured graph marks it again in each run. Events that
  /// order streams are recorded as plain events, because only these join a stream to a capture.
  void mark(const Event& event);
  /// Call before putting anything else on the compute stream.
  [[nodiscard]] bool admit(const LaunchWindow::Size& launch, const Poll& poll);
  /// Gradients into the bucket's buffer, then `op` on it, in place, on the collective's stream.
  [[nodiscard]] bool enqueue_bucket(StreamCollective& collective, CollectiveOp op,
                                    std::size_t bucket, const Poll& poll);
  [[nodiscard]] bool copy_buckets_back(const Poll& poll);
  [[nodiscard]] float* bucket_buffers() const;
  /// Adds operations that have ended to the replica's report, each timed one as
  /// `operations_per_timing`; run() does this at its end.
  void report_collectives(std::int64_t operations_per_timing);
  [[nodiscard]] bool wait_for(const Event& event, const Poll& poll);
  [[nodiscard]] bool abandoned(WallInstant now, const Poll& poll);

  CudaReplica& replica_;
  const LaunchPlan& plan_;
  StepStage stage_ = StepStage::idle;
  bool capturing_ = false;    ///< launches are recorded, not run: nothing has to be waited for
  std::vector<Marks> marks_;  ///< of the steps that run() executes one after another
  std::size_t enqueued_ = 0;  ///< steps of this run

 private:
  /// Waits until the cap allows the next step.
  [[nodiscard]] bool await_cap(const Poll& poll);
  /// Waits for the samples of one of `steps` steps that run one after another.
  [[nodiscard]] bool await_input(std::size_t steps, const Poll& poll);
  [[nodiscard]] bool sleep_until(WallInstant instant, const Poll& poll);
  [[nodiscard]] bool enqueue_step(const Marks& marks, const Poll& poll);
  /// Of all `steps` of a run. Each takes as long as in the last one.
  [[nodiscard]] Duration spill_time(std::size_t steps) const;
  [[nodiscard]] StepOutcome outcome(WallInstant begin, std::size_t steps);

  std::vector<StreamCollective*> collectives_;
  LaunchWindow window_;
  InputReader reader_;
  std::vector<Event> ready_;  ///< per bucket: copied into its buffer
  Event input_copied_;
  std::vector<Marks> spills_;  ///< copies of spilled memory, of each micro-batch of the last step
  WallInstant last_check_{};
};

}  // namespace mimus::kernels::cuda
