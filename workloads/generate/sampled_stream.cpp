// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/generate/sampled_stream.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/quantity_text.hpp"

namespace mimus::workloads {
namespace {

std::string described(const SampleSettings& settings) {
  std::string text = settings.jobs
                         ? fmt::format("sample of {} jobs{}, seed {}", *settings.jobs,
                                       settings.stratified ? ", strata by gang" : "", settings.seed)
                         : std::string("all jobs");
  if (settings.from) text += fmt::format(", from {}", format_duration(*settings.from));
  if (settings.until) text += fmt::format(", until {}", format_duration(*settings.until));
  return text;
}

}  // namespace

SampledStream::SampledStream(const OpenStream& open, const SampleSettings& settings)
    : DerivedStream(open(), described(settings)),
      settings_(settings),
      random_(settings.seed, "sample") {
  if (settings.from && settings.until && *settings.until <= *settings.from) {
    throw UsageError("the window ends before it begins: --until must be later than --from");
  }
  if (!settings_.jobs) return;
  count(origin());
  allot();
  restart(open());
}

bool SampledStream::in_window(const Job& job) const {
  const Duration arrival = job.arrival.time_since_epoch();
  return (!settings_.from || arrival >= *settings_.from) &&
         (!settings_.until || arrival < *settings_.until);
}

SampledStream::Stratum& SampledStream::stratum_of(const Job& job) {
  return strata_[settings_.stratified ? job.gang : 0];
}

void SampledStream::count(JobStream& jobs) {
  while (const auto job = jobs.next()) {
    if (in_window(*job)) ++stratum_of(*job).left;
  }
}

/// Each stratum gets its share rounded down. The remaining jobs go to the largest remainders.
void SampledStream::allot() {
  std::int64_t total = 0;
  for (const auto& [gang, stratum] : strata_) total += stratum.left;
  const std::int64_t wanted = *settings_.jobs;
  if (wanted > total) {
    throw UsageError(fmt::format("a sample of {} jobs was requested, but there are {}{}", wanted,
                                 total, settings_.from || settings_.until ? " in the window" : ""));
  }
  std::vector<std::pair<double, int>> remainders;
  std::int64_t missing = wanted;
  for (auto& [gang, stratum] : strata_) {
    const double share = static_cast<double>(wanted) * static_cast<double>(stratum.left) /
                         static_cast<double>(total);
    stratum.wanted = std::min(static_cast<std::int64_t>(share), stratum.left);
    missing -= stratum.wanted;
    remainders.emplace_back(static_cast<double>(stratum.wanted) - share, gang);
  }
  std::sort(remainders.begin(), remainders.end());
  for (const auto& [remainder, gang] : remainders) {
    Stratum& stratum = strata_[gang];
    if (missing == 0) break;
    if (stratum.wanted == stratum.left) continue;
    ++stratum.wanted;
    --missing;
  }
}

std::optional<Job> SampledStream::derive() {
  while (auto job = origin().next()) {
    if (!in_window(*job)) continue;
    if (settings_.jobs) {
      Stratum& stratum = stratum_of(*job);
      const bool taken = random_.below(stratum.left--) < stratum.wanted;
      if (!taken) continue;
      --stratum.wanted;
    }
    if (settings_.from) job->arrival -= *settings_.from;
    return job;
  }
  return std::nullopt;
}

}  // namespace mimus::workloads
