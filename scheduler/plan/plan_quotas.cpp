// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plan/plan_quotas.hpp"

#include <algorithm>

namespace mimus::scheduler {

void PlanQuotas::add(const JobView& job, int group, int gpus, bool is_promoted) {
  if (!admission_.limits() || (job.opportunistic && !is_promoted)) return;
  const Entry entry{&job, group, gpus * job.share};
  entries_.push_back(entry);
  held_ += entry.demand;
  held_by_group_[group] += entry.demand;
}

std::optional<JobId> PlanQuotas::over_quota() {
  std::size_t before = 0;
  while (!entries_.empty() && entries_.size() != before) {
    before = entries_.size();
    std::erase_if(entries_, [this](const Entry& entry) { return take_out(entry); });
  }
  if (entries_.empty()) return std::nullopt;
  return entries_.front().job->id;
}

bool PlanQuotas::take_out(const Entry& entry) {
  MilliGpus& group = held_by_group_.at(entry.group);
  held_ -= entry.demand;
  group -= entry.demand;
  const Usage others{.held_by_group = group, .held = held_, .gpus = gpus_in_cluster_};
  if (is_accepted(*entry.job, entry.demand, others)) return true;
  held_ += entry.demand;
  group += entry.demand;
  return false;
}

/// A promoted job counts as a guaranteed one.
bool PlanQuotas::is_accepted(const JobView& job, MilliGpus demand, const Usage& others) const {
  if (!job.opportunistic) return admission_.admit(job, demand, others).verdict == Verdict::accept;
  JobView promoted = job;
  promoted.opportunistic = false;
  return admission_.admit(promoted, demand, others).verdict == Verdict::accept;
}

}  // namespace mimus::scheduler
