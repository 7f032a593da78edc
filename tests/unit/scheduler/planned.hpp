// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <set>
#include <utility>
#include <variant>
#include <vector>

#include "builders.hpp"
#include "scheduler/admission/accept_all.hpp"
#include "scheduler/estimate/no_estimate.hpp"
#include "scheduler/planner/planner.hpp"

namespace mimus::scheduler::test {

/// So many GPUs, all of them usable unless taken down, on which no placement is tried.
class Counter final : public Placer {
 public:
  explicit Counter(int gpus, bool counts_only = true) : gpus_(gpus), counts_only_(counts_only) {}
  [[nodiscard]] int usable_gpus() const override { return gpus_; }
  [[nodiscard]] bool usable(GpuId gpu) const override { return !down_.contains(gpu); }
  void take_down(GpuId gpu) { down_.insert(gpu); }
  [[nodiscard]] bool counts_only() const override { return counts_only_; }
  const PlacementRequest& ask_for(const PlanJob&, int) override { return request_; }
  void relax_to(int) override {}
  [[nodiscard]] std::optional<Allocation> find() const override { return std::nullopt; }
  [[nodiscard]] bool fits() const override { return false; }
  void book(JobId, const Allocation&) override {}
  void release(AttemptId) override {}
  void restore(AttemptId) override {}
  [[nodiscard]] std::size_t released() const override { return 0; }
  void restore_down_to(std::size_t) override {}

 private:
  int gpus_;
  bool counts_only_;
  std::set<GpuId> down_;
  PlacementRequest request_;
};

using Sizes = std::vector<std::pair<int, int>>;  ///< (job, GPUs)

/// What a planner that hands out numbers of GPUs gives these jobs on one node.
inline Sizes planned(Planner& planner, const std::vector<JobView>& jobs, int gpus,
                     const Admission& admission = AcceptAll(), Instant now = {},
                     const Estimator& estimate = NoEstimate()) {
  std::vector<PlanJob> shown;
  for (const JobView& job : jobs) shown.push_back({&job, job.virtual_cluster == "default" ? 0 : 1});
  const Cluster cluster(shape(1, std::max(1, gpus)));  // of which none may be usable
  Counter counter(gpus);
  Sizes sizes;
  for (const Target& target :
       planner.plan({now, shown, cluster, admission, estimate, counter}).targets) {
    sizes.emplace_back(static_cast<int>(target.job.value()), std::get<GpuCount>(target.gpus));
  }
  return sizes;
}
inline Sizes planned(Planner&& planner, const std::vector<JobView>& jobs, int gpus,
                     const Admission& admission = AcceptAll(),
                     const Estimator& estimate = NoEstimate()) {
  return planned(planner, jobs, gpus, admission, {}, estimate);
}

}  // namespace mimus::scheduler::test
