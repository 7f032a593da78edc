// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "emulator/virtual/virtual_engine.hpp"

namespace mimus::emulator::test {

using scheduler::EndReason;
using namespace std::chrono_literals;

inline Instant at(Duration since_start) {
  return Instant{} + since_start;
}

/// Every step takes `step`; co-tenants stretch it by the factor that the interference says.
class FlatSteps final : public StepTimeModel {
 public:
  explicit FlatSteps(Duration step, bool run_time = false) : step_(step), run_time_(run_time) {}
  [[nodiscard]] std::string name() const override { return "flat"; }
  [[nodiscard]] bool counts_run_time() const override { return run_time_; }
  void check(const workloads::Job&) const override {}
  [[nodiscard]] StepCost step(const Attempt&, const Surroundings& around) const override {
    return {scale(step_, around.interference), {}, step_};
  }

 private:
  Duration step_;
  bool run_time_;
};

/// As slow as there are tenants.
class FairShares final : public InterferenceModel {
 public:
  [[nodiscard]] std::string name() const override { return "fair shares"; }
  [[nodiscard]] StepCost without_co_tenants(const Attempt&) const override { return {}; }
  [[nodiscard]] double slowdown(const SharingAttempt&,
                                std::span<const CoTenant> beside) const override {
    return 1.0 + static_cast<double>(beside.size());
  }
};

struct VirtualEngineTest : testing::Test {
  workloads::ModelCatalogue models = workloads::ModelCatalogue::built_in();
  ClusterConfig cluster;
  EngineConfig config;
  FairShares interference;

  VirtualEngineTest() {
    cluster.shape = {.nodes = 2,
                     .gpus_per_node = 2,
                     .gpus_per_island = 2,
                     .nodes_per_rack = 2,
                     .lanes_per_gpu = 2,
                     .gpu_type = "T4",
                     .gpu_memory = Bytes{16e9}};
    cluster.storage = BytesPerSecond{1e9};
    cluster.gpu = kernels::gpu_spec("T4");
    cluster.network.rate = cluster.rack_network.rate = BytesPerSecond{1e9};
    config.costs.start = 0s;
    config.costs.checkpoint = 0s;
    config.costs.restore = 0s;
  }

  Attempt attempt(int id, double work, std::vector<int> gpus) const {
    Attempt out;
    out.id = AttemptId{id};
    out.job = JobId{id};
    out.model = &models.at("resnet18");
    out.batch = {.per_gpu = 128 / static_cast<int>(gpus.size()), .accumulation = 1};
    for (const int gpu : gpus) out.allocation.slots.push_back({GpuId{gpu}, LaneId{2 * gpu}});
    out.work_samples = work;
    return out;
  }

  static std::vector<TimedEvent> until(Engine& engine, Instant deadline) {
    std::vector<TimedEvent> happened;
    while (engine.next(deadline, happened) < deadline) {
    }
    return happened;
  }
  template <class Event>
  static std::vector<std::pair<Instant, Event>> only(const std::vector<TimedEvent>& happened) {
    std::vector<std::pair<Instant, Event>> out;
    for (const auto& what : happened) {
      if (const auto* event = std::get_if<Event>(&what.event)) out.emplace_back(what.at, *event);
    }
    return out;
  }
  static auto ends(const std::vector<TimedEvent>& happened) {
    return only<scheduler::AttemptEnded>(happened);
  }
};

}  // namespace mimus::emulator::test
