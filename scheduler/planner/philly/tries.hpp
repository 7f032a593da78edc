// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/time.hpp"
#include "scheduler/containers/id_map.hpp"
#include "scheduler/jobs/job_view.hpp"

namespace mimus::scheduler {

/// When waiting jobs are tried, and at which level of locality. A job is tried once it is
/// schedulable. After a try that failed it backs off; further tries are a back-off apart from each
/// other. Its demand for locality is relaxed by the time since it first was schedulable in its
/// present wait, which backing off does not reset.
class Tries {
 public:
  struct Settings {
    Duration rack_after = std::chrono::seconds(120);  ///< then any nodes of one rack will do
    Duration any_after = std::chrono::seconds(240);   ///< then any nodes will
    Duration backoff = std::chrono::seconds(120);     ///< zero: tried whenever something changes
  };
  explicit Tries(Settings settings) : settings_(settings) {}

  /// The job waits and is schedulable at `now`, where its locality may be relaxed if `relaxes`.
  void is_schedulable(const JobView& job, Instant now, bool relaxes);
  /// It is not, or not any more: it is not tried, and its wait goes on.
  void is_not_schedulable(JobId job);
  /// Its LocalityLevel, the tightest until it has been schedulable.
  [[nodiscard]] int level(JobId job, Instant now) const;
  /// Whether it does not back off at `now`.
  [[nodiscard]] bool is_due(JobId job, Instant now);
  void failed(JobId job, Instant now);
  /// The job runs or has left.
  void forget(JobId job) { waits_.erase(job); }

  /// Since the last plan something has changed, so that a try may come out otherwise.
  void something_changed() { ++version_; }
  /// The next instant after `now` at which a try could come out otherwise than the last one, if
  /// nothing changes until then but levels.
  [[nodiscard]] Instant next(Instant now) const;

 private:
  struct Wait {
    Instant queued_since{kNever};
    Instant schedulable_since{};
    bool relaxes = true;
    bool schedulable = true;
    Instant next_try{};
    std::uint64_t failed_in = 0;  ///< version
  };

  [[nodiscard]] Instant next(const Wait& wait, Instant now) const;
  /// The first of its tries that is not before `from`.
  [[nodiscard]] Instant try_from(const Wait& wait, Instant from) const;

  Settings settings_;
  IdMap<JobId, Wait> waits_;
  std::uint64_t version_ = 1;
};

}  // namespace mimus::scheduler
