// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/time.hpp"
#include "scheduler/containers/id_map.hpp"
#include "scheduler/jobs/job_view.hpp"

namespace mimus::scheduler {

/// When waiting jobs are tried, and at which level of locality. A job is tried as soon as it is
/// schedulable. After a failed try it backs off; further tries are one back-off apart. Its level is
/// relaxed with the time since it was first schedulable in its current wait. Backing off does not
/// reset this time.
class Tries {
 public:
  struct Settings {
    Duration rack_after = std::chrono::seconds(120);  ///< then any nodes of one rack are accepted
    Duration any_after = std::chrono::seconds(240);   ///< then any nodes are accepted
    Duration backoff = std::chrono::seconds(120);     ///< zero: tried whenever something changes
  };
  explicit Tries(Settings settings) : settings_(settings) {}

  /// The job waits and is schedulable at `now`; its locality may be relaxed if `relaxes`.
  void is_schedulable(const JobView& job, Instant now, bool relaxes);
  /// It is not schedulable, or no longer: it is not tried, and its wait continues.
  void is_not_schedulable(JobId job);
  /// Its LocalityLevel, the tightest until it has been schedulable.
  [[nodiscard]] int level(JobId job, Instant now) const;
  /// Whether it is not backing off at `now`.
  [[nodiscard]] bool is_due(JobId job, Instant now);
  void failed(JobId job, Instant now);
  /// The job runs or has left.
  void forget(JobId job) { waits_.erase(job); }

  /// Something has changed since the last plan, so that a try could have another result.
  void something_changed() { ++version_; }
  /// The next instant after `now` at which a try could have another result than the last one, if
  /// only levels change until then. A plan is to be made then; tries of this instant are made in
  /// the first one that is.
  [[nodiscard]] Instant ask_for_next(Instant now);

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
  /// Its first try at or after `from`.
  [[nodiscard]] Instant try_from(const Wait& wait, Instant from) const;

  Settings settings_;
  IdMap<JobId, Wait> waits_;
  std::uint64_t version_ = 1;
  Instant asked_for_{kNever};
};

}  // namespace mimus::scheduler
