// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "emulator/virtual/steps/collective_link.hpp"
#include "emulator/virtual/steps/step_time_model.hpp"
#include "kernels/parallel/split_step_time.hpp"

namespace mimus::emulator {

/// The footprint model of kernels/: roofline per layer, host and device side by side, gradient
/// buckets reduced as the backward pass releases them. Alone it is exactly what the live engine
/// paces to (ModelledThroughput). Split models are replayed stage by stage. Surroundings change it
/// so: interference stretches computation on device and host, behind which more communication then
/// hides, a link share divides the bandwidth, of a split model between nodes only, other GPUs in
/// use on a node stretch the model's host work.
class AnalyticSteps final : public StepTimeModel {
 public:
  struct Settings {
    CollectiveLayout collective = CollectiveLayout::ring;
    bool shares_hosts = true;  ///< input pipelines of one node slow each other
  };
  AnalyticSteps(const StepTimeInputs& inputs, Settings settings);

  [[nodiscard]] std::string name() const override { return "analytic"; }
  void check(const workloads::Job& job) const override;
  [[nodiscard]] StepCost step(const Attempt& attempt,
                              const Surroundings& surroundings) const override;
  [[nodiscard]] Duration transfers(const Attempt& attempt) const override;
  [[nodiscard]] bool shares_hosts() const override { return settings_.shares_hosts; }

 private:
  /// All that a solo step depends on.
  struct Key {
    const workloads::Model* model = nullptr;
    std::int64_t per_gpu = 0;
    int accumulation = 0;
    int replicas = 0;
    int on_fullest_node = 0;  ///< of its own replicas' GPUs
    scheduler::Locality locality = scheduler::Locality::same_gpu;
    bool on_two_nodes = false;
    scheduler::GpuTypes types = 1;
    std::string arrangement;  ///< of a split model's ranks, else empty
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const noexcept;
  };
  struct Solo {
    std::vector<kernels::FootprintPlan> plans;  ///< of make_gang_plans()
    kernels::StepShape shape;
    kernels::GangLinks links;
    kernels::StepTime time;
    Duration transfers{};  ///< per step, between nodes if it is on several
    /// By GPUs in use on the fullest node, share of the links, and stretch of kernels if it is that
    /// of tenants which all want the device all the time.
    std::map<std::tuple<int, double, double>, kernels::StepTime> crowded;
  };
  [[nodiscard]] Key key_of(const Attempt& attempt) const;
  [[nodiscard]] Solo& solo_of(const Key& key, const Attempt& attempt) const;
  /// Beside others on the node, on the links and on its GPUs.
  [[nodiscard]] static kernels::StepTime crowded_step(Solo& solo, const kernels::NodeUse& node,
                                                      double share);
  [[nodiscard]] static kernels::GangLinks narrowed(const Solo& solo, double share, double slowed);
  /// Reductions go through a tree where the settings say so; split models keep to rings.
  void choose_layout(Solo& solo, int on_fullest_node) const;

  ClusterConfig cluster_;
  const workloads::ModelCatalogue* models_;
  Settings settings_;
  mutable std::unordered_map<Key, Solo, KeyHash> known_;  ///< never iterated
};

[[nodiscard]] Choice<StepTimeModel> analytic_choice(const StepTimeInputs& inputs);

}  // namespace mimus::emulator
