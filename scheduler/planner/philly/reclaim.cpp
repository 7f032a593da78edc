// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/philly/reclaim.hpp"

#include <algorithm>

namespace mimus::scheduler {
namespace {

struct Victim {
  VirtualCluster* cluster;
  const PlanJob* job;
};

bool is_newer(const PlanJob* a, const PlanJob* b) {
  return std::pair(b->view->running_since, b->view->id) <
         std::pair(a->view->running_since, a->view->id);
}

/// The shortest sequence of victims that makes room; all of them are released then.
std::vector<Victim> first_victims(VirtualClusters& clusters, Placer& placer) {
  std::vector<Victim> victims;
  for (VirtualCluster* cluster : clusters.above_quota()) {
    std::vector<const PlanJob*> newest = cluster->running;
    std::ranges::sort(newest, is_newer);
    MilliGpus overshoot = cluster->overshoot();
    for (const PlanJob* job : newest) {
      if (overshoot <= MilliGpus{}) break;
      if (job->view->opportunistic) continue;
      overshoot -= job->view->demand();
      victims.push_back({cluster, job});
      placer.release(job->view->attempt);
      if (placer.fits()) return victims;
    }
  }
  return {};
}

}  // namespace

std::vector<const JobView*> reclaim(VirtualClusters& clusters, Placer& placer) {
  const std::size_t mark = placer.released();
  std::vector<Victim> victims = first_victims(clusters, placer);
  if (victims.empty()) {
    placer.restore_down_to(mark);
    return {};
  }
  std::ranges::sort(victims,
                    [](const Victim& a, const Victim& b) { return is_newer(b.job, a.job); });
  std::erase_if(victims, [&](const Victim& victim) {
    placer.restore(victim.job->view->attempt);
    if (placer.fits()) return true;
    placer.release(victim.job->view->attempt);
    return false;
  });
  std::vector<const JobView*> stopped;
  for (const Victim& victim : victims) {
    std::erase(victim.cluster->running, victim.job);
    clusters.remove(*victim.cluster, *victim.job->view, victim.job->view->demand());
    stopped.push_back(victim.job->view);
  }
  return stopped;
}

}  // namespace mimus::scheduler
