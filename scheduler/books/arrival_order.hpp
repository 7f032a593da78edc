// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace mimus::scheduler {

struct JobRecord;

/// Jobs by arrival, jobs of one instant by id. A removal costs O(1) on average, wherever the job
/// is, and so does an addition after all others: a queue may hold 10^5 jobs, which leave in any
/// order.
class ArrivalOrder {
 public:
  void add(JobRecord& job);
  void remove(JobRecord& job);

  [[nodiscard]] std::size_t size() const { return places_.size() - gaps_; }

  /// Calls `act(job)` for each job in order.
  template <class Act>
  void for_each(Act&& act) const {
    for (JobRecord* job : places_) {
      if (job != nullptr) act(*job);
    }
  }

 private:
  void close_gaps();

  std::vector<JobRecord*> places_;  ///< null: a job has left; never at the end
  std::size_t gaps_ = 0;
};

}  // namespace mimus::scheduler
