// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "scheduler/admission/accept_all.hpp"
#include "scheduler/planner/search/search_problem.hpp"
#include "tests/unit/scheduler/builders.hpp"
#include "tests/unit/scheduler/planned.hpp"

namespace mimus::scheduler::test {

/// Believes that k GPUs give k^0.8 times the goodput of one with any batch, nine tenths of it on
/// several nodes; of jobs in `unknown` nothing.
class PowerLaw final : public Estimator {
 public:
  [[nodiscard]] std::string name() const override { return "power law"; }
  [[nodiscard]] std::optional<double> throughput(const JobView&, const Allocation&,
                                                 const BatchPlan&) const override {
    return std::nullopt;
  }
  [[nodiscard]] StepRate rate_on(const JobView& job, GpuSpread spread) const override {
    if (unknown.contains(job.id)) return {};
    return [rate = speed(spread.nodes, spread.gpus)](const BatchPlan&) { return rate; };
  }
  [[nodiscard]] int most_gpus(const JobView& job, int) const override {
    const auto found = most.find(job.id);
    return found == most.end() ? std::numeric_limits<int>::max() : found->second;
  }
  [[nodiscard]] int nodes_told_apart() const override { return 2; }
  [[nodiscard]] std::optional<double> noise_scale(const JobView&) const override {
    return std::numeric_limits<double>::infinity();
  }
  [[nodiscard]] static double speed(int nodes, int gpus) {
    return std::pow(gpus, 0.8) * (nodes > 1 ? 0.9 : 1.0);
  }

  std::map<JobId, bool> unknown;
  std::map<JobId, int> most;
};

/// Jobs on a cluster at one instant, and what a planner is asked about them.
struct Asked {
  Asked(int nodes, int gpus_per_node, double second)
      : cluster(shape(nodes, gpus_per_node)),
        placer(cluster.shape().gpus(), false),
        now(at(second)) {
    estimate.begin(cluster.shape());
  }

  /// A job that has been there since `arrival` [s]; it can have any number of GPUs.
  JobView& add(double arrival = 0.0) {
    views.push_back(std::make_unique<JobView>(job(static_cast<int>(views.size()), 1, arrival)));
    views.back()->model.per_gpu_batch_min = 1;
    return *views.back();
  }
  /// It runs on these GPUs since it has arrived.
  void run(JobView& job, const std::vector<int>& gpus) const {
    job.allocation = slots(cluster, gpus);
    job.attempt = AttemptId{job.id.value()};
    job.attempts = 1;
    job.state = JobState::running;
    job.running_since = job.arrival;
  }
  [[nodiscard]] PlanQuery query() {
    jobs.clear();
    for (const auto& view : views) jobs.push_back({view.get(), 0});
    return {now, jobs, cluster, admission, estimate, placer};
  }

  Cluster cluster;
  Counter placer;
  AcceptAll admission;
  PowerLaw estimate;
  Instant now;
  std::vector<std::unique_ptr<JobView>> views;
  std::vector<PlanJob> jobs;
};

}  // namespace mimus::scheduler::test
