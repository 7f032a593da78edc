// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "emulator/engine.hpp"
#include "workloads/pollux/profile.hpp"

namespace mimus::emulator {

/// A stretch of one round in which a job trained in one epoch with one batch.
struct ReplayedStretch {
  double begin = 0.0;  ///< s since the cell began
  double end = 0.0;
  workloads::StepTiming timing;  ///< of a step without accumulation
  double step_time = 0.0;        ///< s, with it
  double progress = 0.0;         ///< gained, in scale-invariant iterations
  workloads::TrainingCurves::Gradient gradient;
  scheduler::BatchPlan batch;
};

/// One job in the Pollux artifact's simulator (simulator.py, class Job): whole seconds, a fixed
/// pause after every change of its nodes, progress in scale-invariant iterations, epoch ends
/// rounded to the second.
class ReplayJob {
 public:
  explicit ReplayJob(const workloads::PolluxProfile& profile) : profile_(profile) {}

  /// New nodes, one entry per replica in rank order. `pause`: seconds without progress.
  void place(std::vector<NodeId> nodes, std::int64_t pause);
  [[nodiscard]] const std::vector<NodeId>& nodes() const { return nodes_; }
  /// The artifact's split of `total` over the present replicas (update_local_bsz).
  void set_batch(std::int64_t total);
  /// A split that is given.
  void set_batch(const scheduler::BatchPlan& batch);
  [[nodiscard]] const scheduler::BatchPlan& batch() const { return batch_; }
  [[nodiscard]] std::int64_t pause() const { return pause_; }

  /// Trains from second `from` to the end of the epoch, or until second `end`. `interference`:
  /// share of its speed that it loses. Nothing where it pauses until then. UsageError when the
  /// placement and batch lie outside the measurements.
  [[nodiscard]] std::optional<ReplayedStretch> train(std::int64_t from, std::int64_t end,
                                                     double interference);
  /// The second at which the last epoch ended.
  [[nodiscard]] std::optional<std::int64_t> completed_at() const { return completed_at_; }

  [[nodiscard]] int epoch() const { return epoch_; }
  [[nodiscard]] double progress() const { return progress_; }
  [[nodiscard]] double samples_done() const;  ///< at M0
  /// φ of a stretch [samples].
  [[nodiscard]] double noise_scale(const ReplayedStretch& stretch) const;
  [[nodiscard]] const workloads::PolluxProfile& profile() const { return profile_; }

 private:
  [[nodiscard]] ReplayedStretch rate(double interference, double& goodput) const;
  [[nodiscard]] std::int64_t total_batch() const;

  const workloads::PolluxProfile& profile_;
  std::vector<NodeId> nodes_;
  std::vector<int> per_node_;  ///< run lengths of nodes_
  scheduler::BatchPlan batch_;
  std::int64_t pause_ = 0;
  int epoch_ = 0;
  double progress_ = 0.0;
  std::optional<std::int64_t> completed_at_;
};

}  // namespace mimus::emulator
