// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "scheduler/books/job_table.hpp"
#include "scheduler/containers/sorted_blocks.hpp"

namespace mimus::scheduler {

/// Which running jobs may be asked to yield for a waiting one: all of them, or, when it waits for
/// the quota of its group and not for GPUs, only those that count in the same group.
struct Reach {
  std::optional<int> only;  ///< JobRecord::group
  [[nodiscard]] bool has(int group) const { return !only || *only == group; }
};

/// Running jobs by rank. Jobs whose ranks drift alike, and that admission counts together, form a
/// group, in which their order does not change with time; there are as many groups as different
/// drifts, e.g. gang sizes, in each virtual cluster with a quota.
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
    int counted_in = 0;  ///< JobRecord::group of its jobs
    SortedBlocks<Runner> runners;
  };

  /// Both use the job's place, which must not change in between.
  void add(JobRecord& job);
  void remove(const JobRecord& job);

  /// By drift; none is empty.
  [[nodiscard]] const std::vector<Group>& groups() const { return groups_; }
  /// True when a job within reach ranks after `rank` at `time` (see Order::rank_time).
  [[nodiscard]] bool any_after(const Rank& rank, Instant time, Reach reach = {}) const;
  /// The worst job of the group that ranks before `rank` at `time`; null without one.
  [[nodiscard]] static JobRecord* last_before(const Group& group, const Rank& rank, Instant time);

  /// Goes through the jobs within reach from the worst rank on. Valid until the index changes.
  class WorstFirst {
   public:
    WorstFirst(const RunningIndex& index, Instant time, Reach reach = {});
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
  [[nodiscard]] std::vector<Group>::iterator group_of(const JobRecord& job);
  [[nodiscard]] static bool is_of(const Group& group, const JobRecord& job);

  std::vector<Group> groups_;
};

}  // namespace mimus::scheduler
