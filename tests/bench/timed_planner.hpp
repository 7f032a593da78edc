// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ctime>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "base/random.hpp"
#include "scheduler/order/order.hpp"
#include "scheduler/planner/planner.hpp"
#include "scheduler/scheduler.hpp"

namespace mimus::scheduler {

inline constexpr int kJobs = 1000;

/// CPU time, so that other programs on the machine do not count.
inline Duration cpu_now() {
  std::timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::chrono::seconds{now.tv_sec} + Duration{now.tv_nsec};
}

inline JobView job(int id, RandomStream& random) {
  static constexpr int kGangs[] = {1, 2, 4, 4, 8, 8, 8, 16};
  JobView job;
  job.id = JobId{id};
  job.name = "job";
  job.virtual_cluster = random.below(2) == 0 ? "prod" : "test";
  job.gang = kGangs[random.below(8)];
  job.requested_batch = 32 * job.gang;
  job.model.name = "resnet50";
  job.model.per_gpu_batch_max = 1024;
  job.model.total_batch_max = 65536;
  return job;
}

/// As many GPUs of each of four types, in nodes of eight.
inline ClusterShape four_types() {
  std::vector<NodeGroup> groups;
  for (const char* type : {"A100", "V100", "P100", "K80"}) {
    groups.push_back({.nodes = 128, .gpus_per_node = 8, .gpus_per_island = 8, .gpu_type = type});
  }
  return ClusterShape::of_groups(groups, 32);
}

/// Records how long its planner takes.
class TimedPlanner final : public Planner {
 public:
  TimedPlanner(std::unique_ptr<Planner> planner, Duration& spent)
      : planner_(std::move(planner)), spent_(spent) {}
  [[nodiscard]] Plan plan(const PlanQuery& query) override {
    const auto begin = cpu_now();
    Plan plan = planner_->plan(query);
    spent_ = cpu_now() - begin;
    return plan;
  }
  [[nodiscard]] Wakes wakes() const override { return planner_->wakes(); }
  [[nodiscard]] std::shared_ptr<Order> order() const override { return planner_->order(); }
  [[nodiscard]] bool keeps_gangs() const override { return planner_->keeps_gangs(); }
  [[nodiscard]] bool counts_only() const override { return planner_->counts_only(); }
  [[nodiscard]] bool resizes_in_place() const override { return planner_->resizes_in_place(); }

 private:
  std::unique_ptr<Planner> planner_;
  Duration& spent_;
};

/// The events with which an engine answers a decision.
inline std::vector<Event> answers(const Decision& decision) {
  std::vector<Event> events;
  for (const Action& action : decision.actions) {
    if (const auto* start = std::get_if<StartAttempt>(&action)) {
      events.emplace_back(AttemptStarted{start->attempt});
    } else if (const auto* stop = std::get_if<StopAttempt>(&action)) {
      events.emplace_back(AttemptEnded{stop->attempt, EndReason::preempted, "", 0});
    } else if (const auto* resize = std::get_if<ResizeAttempt>(&action)) {
      events.emplace_back(AttemptEnded{resize->from, EndReason::resized, "", 0});
    }
  }
  return events;
}

/// Benchmarks of planner gavel.
void register_gavel();
/// Benchmarks of planner shockwave.
void register_shockwave();

}  // namespace mimus::scheduler
