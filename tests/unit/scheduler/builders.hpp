// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "base/config_tree.hpp"
#include "scheduler/policy/policy.hpp"
#include "scheduler/policy/policy_rows.hpp"
#include "scheduler/scheduler.hpp"

namespace mimus::scheduler::test {

inline Duration seconds(double s) {
  return from_seconds(s);
}
inline Instant at(double s) {
  return Instant{from_seconds(s)};
}

/// `nodes` nodes of `gpus_per_node` GPUs in one island each, all in one rack.
inline ClusterShape shape(int nodes, int gpus_per_node, int lanes = 1) {
  ClusterShape shape;
  shape.nodes = nodes;
  shape.gpus_per_node = gpus_per_node;
  shape.gpus_per_island = gpus_per_node;
  shape.nodes_per_rack = nodes;
  shape.lanes_per_gpu = lanes;
  shape.gpu_type = "T4";
  shape.gpu_memory = Bytes{16e9};
  return shape;
}

/// A model of M0 = 32 with 8..64 samples per GPU, at most 1024 in all; 2 GB + 0.1 GB/sample.
inline ModelFacts facts() {
  ModelFacts model;
  model.name = "resnet18";
  model.reference_batch = 32;
  model.per_gpu_batch_min = 8;
  model.per_gpu_batch_max = 64;
  model.total_batch_max = 1024;
  model.base_memory = Bytes{2e9};
  model.memory_per_sample = Bytes{0.1e9};
  return model;
}

inline JobView job(int id, int gang = 1, double arrival = 0.0) {
  JobView view;
  view.id = JobId{id};
  view.name = "job" + std::to_string(id);
  view.user = "user";
  view.virtual_cluster = "default";
  view.model = facts();
  view.gang = gang;
  view.requested_batch = 32 * gang;
  view.arrival = at(arrival);
  return view;
}
/// With its user's estimate of its run time [s].
inline JobView estimated(int id, int gang, double arrival, double estimate) {
  JobView view = job(id, gang, arrival);
  view.user_estimate = seconds(estimate);
  return view;
}

inline JobView job_of(const char* virtual_cluster, int id, int gang = 1, double arrival = 0.0) {
  JobView view = job(id, gang, arrival);
  view.virtual_cluster = virtual_cluster;
  return view;
}

/// Step time: accumulation × (10 ms + 1 ms per sample).
class AffineSteps final : public ThroughputEstimate {
 public:
  [[nodiscard]] std::string name() const override { return "affine"; }
  [[nodiscard]] std::optional<Duration> step_time(const std::string&, const Allocation&,
                                                  const BatchPlan& batch) const override {
    const double micro = 0.010 + 0.001 * static_cast<double>(batch.per_gpu);
    return from_seconds(micro * batch.accumulation);
  }
};

/// The truth about jobs by their ids: job i runs for 20 × (1 + i mod 7) s, has as many steps left
/// and can use 1 + i mod 8 GPUs, on n of which a step takes 100 ms + 1 s ÷ n.
class OracleById final : public Oracle {
 public:
  [[nodiscard]] std::optional<Duration> run_time(JobId job) const override {
    return from_seconds(20.0 * static_cast<double>(1 + job.value() % 7));
  }
  [[nodiscard]] std::optional<double> steps_left(JobId job) const override {
    return to_seconds(*run_time(job));
  }
  [[nodiscard]] std::optional<Duration> step_time(JobId, int gpus) const override {
    return from_seconds(0.1 + 1.0 / gpus);
  }
  [[nodiscard]] int most_gpus(JobId job) const override {
    return static_cast<int>(1 + job.value() % 8);
  }
};

/// Profiles of two models that keep a GPU the busier the more FLOP their operators have.
inline std::vector<SoloProfile> two_profiles() {
  ModelGraph light{
      .forward = Flop{1e8}, .activations = Bytes{1e6}, .parameters = 1e6, .operators = 100};
  ModelGraph heavy = light;
  heavy.forward = Flop{1e10};
  return {{"light", light, 8, 0.2, Bytes{1e9}},
          {"light", light, 16, 0.25, Bytes{1.1e9}},
          {"heavy", heavy, 8, 0.9, Bytes{2e9}},
          {"heavy", heavy, 16, 0.95, Bytes{2.4e9}}};
}

inline Policy policy(const std::string& yaml) {
  const PolicyInputs inputs{.throughput = std::make_shared<AffineSteps>(),
                            .oracle = std::make_shared<OracleById>(),
                            .seed = 7,
                            .profiles = two_profiles};
  return read_policy(parse_yaml(yaml, "test.yaml"), "policy", inputs);
}

inline Allocation slots(const Cluster& cluster, const std::vector<int>& gpus) {
  Allocation allocation;
  for (const int gpu : gpus) {
    allocation.slots.push_back({GpuId{gpu}, cluster.free_lane(GpuId{gpu})});
  }
  return allocation;
}

inline std::vector<int> gpus_of(const Allocation& allocation) {
  std::vector<int> gpus;
  for (const Slot& slot : allocation.slots) gpus.push_back(static_cast<int>(slot.gpu.value()));
  return gpus;
}

template <class Action>
std::vector<Action> actions_of(const Decision& decision) {
  std::vector<Action> found;
  for (const auto& action : decision.actions) {
    if (const auto* one = std::get_if<Action>(&action)) found.push_back(*one);
  }
  return found;
}

}  // namespace mimus::scheduler::test
