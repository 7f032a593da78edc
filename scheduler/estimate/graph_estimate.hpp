// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>

#include "scheduler/estimate/graph_predictors.hpp"
#include "scheduler/estimate/profile_estimate.hpp"

namespace mimus::scheduler {

/// Utilisation and memory of a job from the graph of its model before it has run, as Horus predicts
/// them (Yeung et al., TPDS 33(1), 2022 §4): boosted trees for utilisation (GraphTrees), a formula
/// for memory (memory_by_formula). The trees learn from profiles that a profiler made on one GPU of
/// the cluster. With `known: false` a job's own model is not among them, as if it were new to the
/// site. There is no estimate for models without a graph. Run times are those that users state;
/// throughput and noise scale are those of ProfileEstimate.
class GraphEstimate final : public Estimator {
 public:
  struct Settings {
    bool known = true;     ///< the job's own model is among those that were profiled
    Bytes context{525e6};  ///< memory of a process on a GPU before its model
  };
  GraphEstimate(Settings settings, SoloProfiles profiles,
                std::shared_ptr<const ThroughputEstimate> throughput)
      : settings_(settings), profiles_(std::move(profiles)), profile_(std::move(throughput)) {}

  [[nodiscard]] std::string name() const override { return "graph"; }
  [[nodiscard]] bool ready() const override { return profiles_ != nullptr; }
  [[nodiscard]] bool finds_utilisation() const override { return true; }
  [[nodiscard]] std::optional<double> utilisation(const JobView& arriving) const override;
  [[nodiscard]] std::optional<ReplicaMemory> memory(const JobView& arriving) const override;
  [[nodiscard]] std::optional<double> throughput(const JobView& job, const Allocation& allocation,
                                                 const BatchPlan& batch) const override {
    return profile_.throughput(job, allocation, batch);
  }
  [[nodiscard]] std::optional<double> noise_scale(const JobView& job) const override {
    return profile_.noise_scale(job);
  }

 private:
  [[nodiscard]] const GraphTrees& trees_for(const std::string& model) const;

  Settings settings_;
  SoloProfiles profiles_;
  ProfileEstimate profile_;
  mutable std::vector<SoloProfile> made_;
  mutable std::map<std::string, GraphTrees> trees_;  ///< by the model that is left out
};

}  // namespace mimus::scheduler
