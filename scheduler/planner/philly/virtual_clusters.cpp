// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/philly/virtual_clusters.hpp"

#include <algorithm>
#include <limits>

namespace mimus::scheduler {
namespace {

double used_share(const VirtualCluster& cluster) {
  if (!cluster.quota) return 0.0;
  if (*cluster.quota == MilliGpus{}) return std::numeric_limits<double>::infinity();
  return cluster.used.gpus() / cluster.quota->gpus();
}

}  // namespace

VirtualClusters::VirtualClusters(const PlanQuery& query,
                                 const std::function<bool(const JobView&)>& moves) {
  std::map<int, std::size_t> index;
  for (const PlanJob& job : query.jobs) {
    const auto [found, is_new] = index.emplace(job.group, clusters_.size());
    if (is_new) {
      const auto quota = query.admission.quota(*job.view);
      VirtualCluster& added = clusters_.emplace_back();
      added.group = job.group;
      if (quota) added.quota = MilliGpus::of_gpus(*quota);
    }
    VirtualCluster& cluster = clusters_[found->second];
    if (!job.view->holds_gpus()) {
      cluster.waiting.push_back(&job);
    } else if (job.view->state != JobState::stopping || moves(*job.view)) {
      cluster.running.push_back(&job);
      add(cluster, *job.view, job.view->demand());
    }
  }
}

std::vector<VirtualCluster*> VirtualClusters::by_used_share() {
  std::vector<VirtualCluster*> sorted;
  for (VirtualCluster& cluster : clusters_) sorted.push_back(&cluster);
  std::ranges::stable_sort(sorted, {}, [](const auto* cluster) { return used_share(*cluster); });
  return sorted;
}

std::vector<VirtualCluster*> VirtualClusters::above_quota() {
  std::vector<VirtualCluster*> sorted;
  for (VirtualCluster& cluster : clusters_) {
    if (cluster.overshoot() > MilliGpus{}) sorted.push_back(&cluster);
  }
  std::ranges::stable_sort(sorted, std::greater<>(),
                           [](const auto* cluster) { return cluster->overshoot(); });
  return sorted;
}

void VirtualClusters::add(VirtualCluster& to, const JobView& job, MilliGpus gpus) {
  busy_ += gpus;
  if (job.opportunistic) return;
  to.used += gpus;
  counted_ += gpus;
}

void VirtualClusters::remove(VirtualCluster& from, const JobView& job, MilliGpus gpus) {
  add(from, job, -gpus);
}

}  // namespace mimus::scheduler
