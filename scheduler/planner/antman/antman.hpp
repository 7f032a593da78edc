// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "scheduler/planner/antman/throttle.hpp"
#include "scheduler/planner/planner.hpp"

namespace mimus::scheduler {

/// Guaranteed jobs get GPUs that no other guaranteed job has. Opportunistic jobs use the rest: GPUs
/// that have been idle, and GPUs whose guaranteed job leaves much of their time and memory unused.
/// On these, they get the memory that the guaranteed job leaves, with the rest in the host's
/// memory, and only as much device time as does not slow the guaranteed job (Throttle).
/// Opportunistic jobs do not count against quotas. A job is promoted when the quota of its virtual
/// cluster has room for it. Source: AntMan (Xiao et al., OSDI'20), and for the definition of an
/// underused GPU the authors' scheduler plugin. Deviations: one percentage throttles all members of
/// a gang, and later jobs may pass a job that does not fit.
class AntMan final : public Planner {
 public:
  struct Settings {
    int opportunistic = 1;  ///< maximum number of such jobs on a GPU
    double busy = 0.8;      ///< mean utilisation from which a GPU is not underused
    double full = 0.5;      ///< used share of its memory from which it is not, either
    Duration idle = std::chrono::seconds(30);     ///< time for which a GPU has to be underused
    Duration interval = std::chrono::seconds(1);  ///< between two measurements of the speed of jobs
    Bytes margin = Bytes{500e6};  ///< memory that stays unused beside a guaranteed job
    bool promotes = true;
    Throttle::Settings throttle{};
  };
  explicit AntMan(Settings settings) : settings_(settings), throttle_(settings.throttle) {}

  [[nodiscard]] Plan plan(const PlanQuery& query) override;
  [[nodiscard]] Wakes wakes() const override {
    return {.arrivals = true, .ends = true, .starts = true, .limits = true, .failures = true};
  }
  [[nodiscard]] int residents() const override { return 1 + settings_.opportunistic; }
  [[nodiscard]] bool names_gpus() const override { return true; }
  /// A review needs a measurement that has begun since limits changed.
  [[nodiscard]] Duration sample_interval() const override { return settings_.interval / 4; }
  void observe(const JobView& job, const JobSample& sample) override {
    throttle_.observe(job, sample);
  }
  void left(JobId job) override {
    throttle_.forget(job);
    places_.erase(job);
  }

 private:
  struct Round;
  void keep_placed(Round& round);
  void place_guaranteed(Round& round);
  void place_opportunistic(Round& round);
  void promote(Round& round);
  void share_memory(Round& round);
  void wait_for_memory(Round& round);
  [[nodiscard]] Target target_of(Round& round, const JobView& job);
  [[nodiscard]] std::optional<std::vector<GpuId>> underused_gpus(Round& round, const JobView& job);
  [[nodiscard]] std::optional<double> use_of(Round& round, GpuId gpu, const JobView& job);

  Settings settings_;
  Throttle throttle_;
  IdMap<JobId, std::vector<GpuId>> places_;  ///< that jobs were given
  std::vector<Instant> idle_since_;          ///< by GPU; kNever: it has a job
};

}  // namespace mimus::scheduler
