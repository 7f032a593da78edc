// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/philly/philly.hpp"

#include <algorithm>
#include <optional>

#include "scheduler/placement/locality/levelled.hpp"
#include "scheduler/planner/philly/reclaim.hpp"

namespace mimus::scheduler {

/// A plan in the making.
struct Philly::Pass {
  Pass(const PlanQuery& asked, const Defragmentation& defragmentation)
      : query(asked),
        clusters(asked, [&](const JobView& job) { return defragmentation.moves(job.id); }),
        gpus(MilliGpus::of_gpus(asked.placer.usable_gpus())) {}

  const PlanQuery& query;
  VirtualClusters clusters;
  MilliGpus gpus;  ///< that can be used
  std::vector<Target> starts;
  std::optional<bool> is_wanted_below_quota;  ///< if known

  void start(VirtualCluster& cluster, const JobView& job, Allocation place) {
    query.placer.book(job.id, place);
    clusters.add(cluster, job, place.held());
    starts.push_back({job.id, std::move(place)});
    if (is_wanted_below_quota == true) is_wanted_below_quota.reset();
  }

  /// The jobs that have GPUs or are to get some, and the GPUs that can be used.
  [[nodiscard]] std::pair<std::vector<JobId>, MilliGpus> held() {
    std::vector<JobId> jobs;
    for (const Target& target : starts) jobs.push_back(target.job);
    for (const VirtualCluster& cluster : clusters.all()) {
      for (const PlanJob* job : cluster.running) jobs.push_back(job->view->id);
    }
    std::ranges::sort(jobs);
    return {std::move(jobs), gpus};
  }
};

Plan Philly::plan(const PlanQuery& query) {
  defragmentation_.follow(query);
  probes_.follow(query);
  Pass pass(query, defragmentation_);
  end_probes(pass);
  keep_promises(pass);
  if (pass.held() != seen_) tries_.something_changed();
  const std::size_t promised = pass.starts.size();
  // Gangs that need GPUs of the pool come first, or they would never find enough.
  const int outside = probes_.gpus_outside(query);
  try_all(pass, [&](const JobView& job) { return job.gang > outside; });
  probes_.book_pool(query);
  try_all(pass, [&](const JobView& job) { return job.gang <= outside; });
  if (pass.starts.size() > promised) tries_.something_changed();
  seen_ = pass.held();
  Plan plan{.targets = std::move(pass.starts),
            .next = std::min(tries_.ask_for_next(query.now), probes_.next())};
  for (const VirtualCluster& cluster : pass.clusters.all()) {
    for (const PlanJob* job : cluster.running) {
      plan.targets.push_back(defragmentation_.target_of(*job->view));
    }
  }
  return plan;
}

void Philly::try_all(Pass& pass, const std::function<bool(const JobView&)>& which) {
  for (VirtualCluster* cluster : pass.clusters.by_used_share()) {
    const std::vector<const PlanJob*> waiting = cluster->waiting;
    for (const PlanJob* job : waiting) {
      if (which(*job->view)) try_to_start(pass, *cluster, *job);
    }
  }
}

/// They are stopped, as no plan names them.
void Philly::end_probes(Pass& pass) const {
  for (VirtualCluster& cluster : pass.clusters.all()) {
    std::erase_if(cluster.running, [&](const PlanJob* job) {
      const bool is_over = probes_.is_over(*job->view);
      if (is_over) pass.clusters.remove(cluster, *job->view, job->view->demand());
      return is_over;
    });
  }
}

/// Others are still to leave the GPUs that these were given by reclaiming.
void Philly::keep_promises(Pass& pass) {
  for (VirtualCluster& cluster : pass.clusters.all()) {
    std::erase_if(cluster.waiting, [&](const PlanJob* job) {
      const auto promise = promises_.find(job->view->id);
      if (promise == promises_.end()) return false;
      const bool holds = std::ranges::all_of(promise->second.slots, [&](const Slot& slot) {
        return pass.query.placer.usable(slot.gpu);
      });
      if (holds) pass.start(cluster, *job->view, promise->second);
      if (!holds) promises_.erase(promise);
      return holds;
    });
    for (const PlanJob* job : cluster.running) promises_.erase(job->view->id);
  }
}

void Philly::try_to_start(Pass& pass, VirtualCluster& cluster, const PlanJob& job) {
  const JobView& view = *job.view;
  const Instant now = pass.query.now;
  if (probes_.wants(view, now)) {
    try_to_probe(pass, cluster, view);
    return;
  }
  if (!is_schedulable(pass, cluster, view, view.demand())) {
    tries_.is_not_schedulable(view.id);
    return;
  }
  const bool relaxes = !settings_.strict_from || view.estimated_run_time < *settings_.strict_from;
  tries_.is_schedulable(view, now, relaxes);
  if (!tries_.is_due(view.id, now)) return;
  ask_for(pass, job);
  auto place = pass.query.placer.find();
  if (!place) {
    place = make_room(pass, cluster, job);
    if (place) promises_[view.id] = *place;
  }
  if (!place) {
    tries_.failed(view.id, now);
    return;
  }
  tries_.forget(view.id);
  std::erase(cluster.waiting, &job);
  pass.start(cluster, view, std::move(*place));
}

void Philly::try_to_probe(Pass& pass, VirtualCluster& cluster, const JobView& job) {
  if (!is_schedulable(pass, cluster, job, job.share)) return;
  auto place = probes_.place(job);
  if (!place) return;
  std::erase_if(cluster.waiting, [&](const PlanJob* waiting) { return waiting->view == &job; });
  pass.start(cluster, job, std::move(*place));
}

bool Philly::is_schedulable(Pass& pass, const VirtualCluster& cluster, const JobView& job,
                            MilliGpus demand) {
  if (job.opportunistic || cluster.has_quota_for(demand)) return true;
  return may_borrow(pass, cluster, job, demand) && !is_wanted_below_quota(pass);
}

/// Whether admission lets it, and the idle GPUs are enough.
bool Philly::may_borrow(const Pass& pass, const VirtualCluster& cluster, const JobView& job,
                        MilliGpus demand) {
  if (pass.clusters.busy() + demand > pass.gpus) return false;
  const Usage usage{.held_by_group = cluster.used,
                    .held = pass.clusters.counted(),
                    .gpus = pass.query.cluster.shape().gpus()};
  return pass.query.admission.admit(job, demand, usage).verdict == Verdict::accept;
}

/// Whether a job within its quota, also one that backs off, could start now.
bool Philly::is_wanted_below_quota(Pass& pass) {
  if (pass.is_wanted_below_quota) return *pass.is_wanted_below_quota;
  const auto could_start = [&](const VirtualCluster& cluster, const PlanJob* job) {
    if (!cluster.has_quota_for(job->view->demand())) return false;
    ask_for(pass, *job);
    return pass.query.placer.fits();
  };
  const auto is_wanted = [&](const VirtualCluster& cluster) {
    return cluster.is_below_quota() &&
           std::ranges::any_of(cluster.waiting,
                               [&](const PlanJob* job) { return could_start(cluster, job); });
  };
  pass.is_wanted_below_quota = std::ranges::any_of(pass.clusters.all(), is_wanted);
  return *pass.is_wanted_below_quota;
}

std::optional<Allocation> Philly::make_room(Pass& pass, VirtualCluster& cluster,
                                            const PlanJob& job) {
  Placer& placer = pass.query.placer;
  if (reclaims(pass, cluster, *job.view) && !reclaim(pass.clusters, placer).empty()) {
    return placer.find();
  }
  const bool is_enough_idle = pass.clusters.busy() + job.view->demand() <= pass.gpus;
  if (!is_enough_idle) return std::nullopt;
  return defragmentation_.make_room(pass.query, pass.clusters, job);
}

void Philly::ask_for(Pass& pass, const PlanJob& job) {
  pass.query.placer.ask_for(job, job.view->gang);
  pass.query.placer.relax_to(tries_.level(job.view->id, pass.query.now));
}

bool Philly::reclaims(const Pass& pass, const VirtualCluster& cluster, const JobView& job) const {
  return !job.opportunistic && cluster.has_quota_for(job.demand()) &&
         pass.clusters.busy().gpus() > settings_.reclaim_above * pass.gpus.gpus();
}

std::unique_ptr<Placement> Philly::placement() const {
  return std::make_unique<Levelled>(settings_.nodes == Nodes::dedicated);
}

void Philly::left(JobId job) {
  tries_.forget(job);
  promises_.erase(job);
  defragmentation_.forget(job);
  probes_.forget(job);
}

}  // namespace mimus::scheduler
