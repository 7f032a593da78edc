// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traces/trace_filter.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace mimus::workloads {
namespace {

bool listed(const std::vector<std::string>& names, const std::string& name) {
  return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

TraceFilter::TraceFilter(const TraceTraits& traits, const TraceOptions& options, std::string file,
                         int cluster_gpus)
    : traits_(traits),
      options_(options),
      file_(std::move(file)),
      cluster_gpus_(cluster_gpus),
      too_large_(fmt::format("the gang is larger than the cluster's {} GPUs", cluster_gpus)),
      clamped_(fmt::format("gang clamped to the cluster's {} GPUs; a recorded run time is "
                           "lengthened to keep the GPU time",
                           cluster_gpus)) {}

bool TraceFilter::admits(const ParsedRow& row, Duration since_first, ImportReport& report) const {
  const auto leave_out = [&](std::string_view reason, std::string_view meaning) {
    report.count(reason, Effect::dropped, meaning, row.row);
    return false;
  };
  const Job& job = row.job;
  if (options_.from && since_first < *options_.from) {
    return leave_out("from", "submitted before the chosen span");
  }
  if (options_.until && since_first >= *options_.until) {
    return leave_out("until", "submitted after the chosen span");
  }
  if (!listed(options_.virtual_clusters, job.virtual_cluster)) {
    return leave_out("virtual_clusters", "of a virtual cluster that is not listed");
  }
  if (!listed(options_.users, job.user)) return leave_out("users", "of a user who is not listed");
  if (options_.max_gang && job.gang > *options_.max_gang) {
    return leave_out("max_gang", "the gang is larger than max_gang");
  }
  if (job.run_time < options_.min_run_time && job.run_time > Duration{}) {
    return leave_out("min_run_time", "the run time is shorter than min_run_time");
  }
  return fits(row, report);
}

bool TraceFilter::fits(const ParsedRow& row, ImportReport& report) const {
  if (row.job.gang <= cluster_gpus_) return true;
  switch (options_.oversized) {
    case Oversized::refuse:
      throw ConfigError({file_, row.gpus_at.line, row.gpus_at.column}, traits_.gpus_column,
                        fmt::format("{} GPUs, but the cluster has {}; enlarge the cluster or set "
                                    "\"oversized: clamp\"",
                                    row.job.gang, cluster_gpus_));
    case Oversized::drop:
      report.count("oversized", Effect::dropped, too_large_, row.row);
      return false;
    case Oversized::clamp:
      report.count("oversized", Effect::changed, clamped_, row.row);
      return true;
  }
  throw InternalError("unknown treatment of oversized gangs");
}

}  // namespace mimus::workloads
