// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/admission/quota.hpp"

#include <fmt/format.h>

namespace mimus::scheduler {

std::string Quota::group(const JobView& job) const {
  return job.virtual_cluster;
}

std::optional<int> Quota::quota(const JobView& job) const {
  const auto found = settings_.quotas.find(job.virtual_cluster);
  return found == settings_.quotas.end() ? settings_.others : std::optional<int>(found->second);
}

AdmissionDecision Quota::admit(const JobView& job, MilliGpus demand, const Usage& usage) const {
  const std::optional<int> quota = this->quota(job);
  if (!quota || job.opportunistic) return {};
  if (usage.held_by_group + demand <= MilliGpus::of_gpus(*quota)) return {};
  if (settings_.borrow && usage.held + demand <= MilliGpus::of_gpus(usage.gpus)) return {};
  if (demand > MilliGpus::of_gpus(*quota) && !settings_.borrow) {
    return {Verdict::reject,
            fmt::format("asks for {} GPUs, but the quota of virtual cluster \"{}\" is {}",
                        demand.gpus(), job.virtual_cluster, *quota)};
  }
  return {Verdict::hold, ""};
}

}  // namespace mimus::scheduler
