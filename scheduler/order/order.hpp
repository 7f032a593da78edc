// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <span>

#include "base/registry.hpp"
#include "scheduler/jobs/job_view.hpp"

namespace mimus::scheduler {

/// A job's place in the order; smaller comes first. Total: ties end at the job id. `major` may be
/// an amount of service, which leaves 64 bits.
struct Rank {
  WideInteger major = 0;
  std::int64_t minor = 0;  ///< thousandths of `major`, 0..999, where ranks drift
  std::int64_t tie = 0;
  Instant arrival{};
  JobId job;
  auto operator<=>(const Rank&) const = default;
};

/// A rank by an amount in thousandths.
inline void set_thousandths(Rank& rank, WideInteger amount) {
  if (amount <= std::numeric_limits<std::int64_t>::max()) {  // no division of 128 bits
    rank.major = static_cast<std::int64_t>(amount) / 1000;
    rank.minor = static_cast<std::int64_t>(amount) % 1000;
  } else {
    rank.major = amount / 1000;
    rank.minor = static_cast<std::int64_t>(amount % 1000);
  }
}

/// Who is next?
class Order {
 public:
  virtual ~Order() = default;
  /// The job's rank at `now`. A waiting job's rank may change only at next_change.
  [[nodiscard]] virtual Rank rank(const JobView& job, Instant now) const = 0;
  /// True when the first job that does not fit keeps all later ones waiting (head-of-line
  /// blocking); false when later ones may start if they fit.
  [[nodiscard]] virtual bool blocks() const = 0;
  static constexpr int kAllJobs = std::numeric_limits<int>::max();
  /// The number of jobs that do not fit after which no other job is tried. Only for orders that let
  /// jobs pass.
  [[nodiscard]] virtual int look_ahead() const { return kAllJobs; }
  /// True if no other job may pass this one any more although it does not fit, so that GPUs that
  /// become free are left for it.
  [[nodiscard]] virtual bool reserves(const JobView& waiting, Instant now) const;
  /// True if ranks depend on all waiting jobs together. arrange() is then called before every
  /// decision and determines the ranks. A job that has arrived since is last.
  [[nodiscard]] virtual bool arranges() const { return false; }
  /// `waiting`: jobs that could start if there were room, by id.
  virtual void arrange(std::span<const JobView* const> waiting, Instant now);
  /// The next instant after `now` at which the job's rank changes by itself, or kNever. For a
  /// waiting job, refresh is called then.
  [[nodiscard]] virtual Instant next_change(const JobView& job, Instant now) const;
  virtual void refresh(const JobView& waiting, Instant now);
  /// The next instant after `now` at which `running`, ranked before `waiting`, may come after it.
  [[nodiscard]] virtual Instant overtaken_at(const JobView& running, const JobView& waiting,
                                             Instant now) const;
  /// How fast `Rank::major` of a running job changes by itself from `now` to its next change, in
  /// thousandths per nanosecond of rank_time. Two running jobs with equal drift keep their relative
  /// order until the next change of one of them. Zero for ranks that change at next_change only.
  [[nodiscard]] virtual std::int64_t drift(const JobView& running, Instant now) const;
  /// The instant up to which drifting ranks have advanced at `now`: `now` itself, or the last
  /// multiple of a quantum.
  [[nodiscard]] virtual Instant rank_time(Instant now) const { return now; }
  /// A job has finished; its view is as it was just before it left. True when this changes
  /// the ranks of other jobs: all ranks are then recomputed.
  [[nodiscard]] virtual bool learn(const JobView& finished, Instant now);
  /// The job has left the system; what is kept about it can be dropped.
  virtual void left(JobId job);
  /// True if ranks depend on JobView::estimated_run_time. Otherwise, and if no batch choice or
  /// planner needs one, the estimate choice has no effect.
  [[nodiscard]] virtual bool asks_run_time() const { return false; }
  /// True if ranks depend on JobView::estimated_utilisation.
  [[nodiscard]] virtual bool asks_utilisation() const { return false; }
  /// True if a running job's rank worsens at every instant relative to waiting ones, so that
  /// preemption needs a minimum run time to make progress.
  [[nodiscard]] virtual bool continuous() const { return false; }
};

[[nodiscard]] const Registry<Order>& order_choices();

}  // namespace mimus::scheduler
