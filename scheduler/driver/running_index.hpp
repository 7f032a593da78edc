// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "scheduler/driver/job_table.hpp"
#include "scheduler/sorted_blocks.hpp"

namespace mimus::scheduler {

/// Running jobs by rank. Jobs whose ranks drift alike form a group, in which their order does not
/// change with time; there are as many groups as different drifts, e.g. gang sizes.
class RunningIndex {
 public:
  struct Runner {
    SteadyRank rank;
    JobRecord* job = nullptr;
    std::strong_ordering operator<=>(const Runner& other) const { return rank <=> other.rank; }
    bool operator==(const Runner& other) const { return rank == other.rank; }
  };
  struct Group {
    std::int64_t drift = 0;
    SortedBlocks<Runner> runners;
  };

  /// Both go by the job's place, which must not change in between.
  void add(JobRecord& job);
  void remove(const JobRecord& job);

  /// By drift; none is empty.
  [[nodiscard]] const std::vector<Group>& groups() const { return groups_; }
  /// True when a job ranks after `rank` at `time` (see Order::rank_time).
  [[nodiscard]] bool any_after(const Rank& rank, Instant time) const;
  /// The worst job of the group that ranks before `rank` at `time`; null without one.
  [[nodiscard]] static JobRecord* last_before(const Group& group, const Rank& rank, Instant time);

  /// Goes through the jobs from the worst rank on. Valid until the index changes.
  class WorstFirst {
   public:
    WorstFirst(const RunningIndex& index, Instant time);
    /// The next job if it ranks after `rank`; else null.
    [[nodiscard]] JobRecord* next_after(const Rank& rank);

   private:
    struct Cursor {
      const Group* group;
      const Runner* runner;  ///< null at the end
      Rank rank;             ///< of the runner, at `time_`
    };
    void move_to(Cursor& cursor, const Runner* runner) const;

    Instant time_;
    std::vector<Cursor> cursors_;
  };

 private:
  [[nodiscard]] std::vector<Group>::iterator group_of(std::int64_t drift);

  std::vector<Group> groups_;
};

}  // namespace mimus::scheduler
