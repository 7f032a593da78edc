// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "emulator/virtual/contention/interference_model.hpp"
#include "emulator/virtual/steps/step_time_model.hpp"

namespace mimus::emulator::test {

/// 2 racks of 2 nodes of 4 T4; 1 GB/s between nodes, 0.5 GB/s per node between racks.
inline ClusterConfig small_cluster(int lanes = 2) {
  ClusterConfig cluster;
  cluster.shape.nodes = 4;
  cluster.shape.gpus_per_node = 4;
  cluster.shape.gpus_per_island = 4;
  cluster.shape.nodes_per_rack = 2;
  cluster.shape.lanes_per_gpu = lanes;
  cluster.shape.gpu_type = "T4";
  cluster.gpu = kernels::gpu_spec("T4");
  cluster.network.rate = BytesPerSecond{1e9};
  cluster.rack_network.rate = BytesPerSecond{5e8};
  cluster.network_latency = std::chrono::microseconds{20};
  cluster.storage = BytesPerSecond{1e9};
  return cluster;
}

inline const workloads::ModelCatalogue& catalogue() {
  static const auto models = workloads::ModelCatalogue::built_in();
  return models;
}

/// An attempt on the given GPUs, in rank order. `model`: empty for none.
inline Attempt attempt_on(std::int64_t id, const std::vector<int>& gpus,
                          const std::string& model = "", std::int64_t per_gpu = 8) {
  Attempt attempt;
  attempt.id = AttemptId{id};
  attempt.job = JobId{id};
  attempt.model = model.empty() ? nullptr : &catalogue().at(model);
  for (const int gpu : gpus) attempt.allocation.slots.push_back({GpuId{gpu}, LaneId{gpu}});
  attempt.batch.per_gpu = per_gpu;
  return attempt;
}

inline std::unique_ptr<StepTimeModel> step_time(const std::string& yaml,
                                                const ClusterConfig& cluster = small_cluster()) {
  const auto node = parse_yaml(yaml, "test.yaml");
  return step_time_choices({cluster, &catalogue()}).make(node, "engine.step_time");
}

inline std::unique_ptr<InterferenceModel> interference(
    const std::string& yaml, const StepTimeModel& steps,
    const ClusterConfig& cluster = small_cluster()) {
  const auto node = parse_yaml(yaml, "test.yaml");
  return std::make_unique<LawOfTenants>(
      steps, cluster.gpu.host_link,
      make_sharing_law(node, {.models = &catalogue(), .gpu_type = cluster.shape.gpu_type}));
}

inline SharingAttempt sharing(const InterferenceModel& model, const Attempt& attempt,
                              const Surroundings& now = {}) {
  SharingAttempt made{&attempt, now};
  made.without_co_tenants = model.without_co_tenants(attempt);
  return made;
}

/// Of attempts that share nothing but GPUs.
inline double slowdown_of(const InterferenceModel& model, const Attempt& attempt,
                          const std::vector<const Attempt*>& beside) {
  std::deque<SharingAttempt> others;
  std::vector<CoTenant> co_tenants;
  for (const Attempt* other : beside) {
    co_tenants.push_back({.sharing = &others.emplace_back(sharing(model, *other))});
  }
  return model.slowdown(sharing(model, attempt), co_tenants);
}

inline std::optional<double> gang_slowdown_of(const InterferenceModel& model, const Attempt& gang,
                                              const std::vector<const Attempt*>& beside) {
  std::deque<SharingAttempt> others;
  std::vector<const SharingAttempt*> pointers;
  for (const Attempt* other : beside) {
    pointers.push_back(&others.emplace_back(sharing(model, *other)));
  }
  return model.gang_slowdown(sharing(model, gang), pointers);
}

/// Step times and loads as the test says, by attempt.
class StatedSteps : public StepTimeModel {
 public:
  struct Stated {
    double busy = 1.0;    ///< seconds of kernels, of a step of one second
    double uplink = 0.0;  ///< seconds for which it sends, of a step of one second
    double waits = 0.0;   ///< seconds for communication that nothing hides
  };
  std::map<AttemptId, Stated> stated;
  bool hosts = false;  ///< whether steps are as many times longer as GPUs of a node are in use

  [[nodiscard]] std::string name() const override { return "stated"; }
  void check(const workloads::Job&) const override {}
  [[nodiscard]] StepCost step(const Attempt& attempt, const Surroundings& around) const override {
    const int slowed = hosts ? std::max(1, around.gpus_in_use) : 1;
    const Stated own = of(attempt);
    const double computes = std::max(slowed - own.waits, own.busy * around.device_stretch);
    return {from_seconds(computes + own.waits), from_seconds(own.waits), from_seconds(own.busy)};
  }
  [[nodiscard]] Duration transfers(const Attempt& attempt) const override {
    return from_seconds(of(attempt).uplink);
  }
  [[nodiscard]] bool shares_hosts() const override { return hosts; }

 private:
  [[nodiscard]] Stated of(const Attempt& attempt) const {
    const auto found = stated.find(attempt.id);
    return found == stated.end() ? Stated{} : found->second;
  }
};

/// The message of the error that `act` throws; empty when it throws none.
template <class Act>
std::string message_of(Act&& act) {
  try {
    act();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

}  // namespace mimus::emulator::test
