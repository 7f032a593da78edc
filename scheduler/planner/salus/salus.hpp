// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "scheduler/order/order.hpp"
#include "scheduler/planner/node_room.hpp"
#include "scheduler/planner/salus/lanes.hpp"

namespace mimus::scheduler {

/// GPU sharing at the granularity of iterations. The weights, gradients and optimiser states of all
/// jobs stay on their GPUs, and the jobs of a lane take turns with the memory for activations. A
/// lane passes to another job at the end of an iteration, for all ranks of a gang at once. Source:
/// Salus (Yu and Chowdhury, MLSys'20). Deviations: a job's start takes time of its lane; only gangs
/// of one size share GPUs; jobs stay on their GPUs until they end; a job that finds no memory
/// waits, and later ones may pass it.
class Salus final : public Planner {
 public:
  /// Which job has a lane.
  enum class Within {
    fifo,  ///< the earliest job, until it ends
    pack,  ///< likewise, but there are as many lanes as fit
    srtf,  ///< the job with the least remaining time, as in ShortestRemaining
    /// For a quantum, the job that has made steps for the least time since its arrival. A new job
    /// starts with the time of the job that has the least.
    fair,
  };
  struct Settings {
    Within within = Within::fair;
    Duration quantum = std::chrono::seconds(1);
    int residents = 4;  ///< maximum number of jobs that hold a GPU
  };
  explicit Salus(Settings settings) : settings_(settings) {}

  [[nodiscard]] Plan plan(const PlanQuery& query) override;
  [[nodiscard]] Wakes wakes() const override {
    return {.arrivals = true, .ends = true, .starts = true, .failures = true};
  }
  [[nodiscard]] int residents() const override { return settings_.residents; }
  [[nodiscard]] bool names_gpus() const override { return true; }
  [[nodiscard]] bool asks_estimate() const override { return settings_.within == Within::srtf; }

 private:
  /// A job that waits for its first turn: the GPUs on which it would have it, and its service on a
  /// par with those that it found there.
  struct Newcomer {
    std::vector<GpuId> gpus;
    Duration before;
  };

  void keep_residents(const PlanQuery& query);
  void admit(const PlanQuery& query);
  [[nodiscard]] bool take_in(const PlanQuery& query, const JobView& job, NodeRoom& room);
  [[nodiscard]] Instant give(Lane& lane, Instant now) const;
  [[nodiscard]] Instant turn_over(const Lane& lane) const;
  [[nodiscard]] Rank rank(const JobView& job, Instant now) const;
  [[nodiscard]] Duration service(const LaneJob& job, Instant now) const;
  [[nodiscard]] const JobView& view(JobId job) const { return *jobs_.at(job)->view; }

  Settings settings_;
  std::vector<LaneSet> sets_;          ///< in order of creation
  IdMap<JobId, const PlanJob*> jobs_;  ///< of the present query
  IdMap<JobId, Newcomer> newcomers_;   ///< of the previous plan
};

}  // namespace mimus::scheduler
