// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "base/random.hpp"

namespace mimus::scheduler {

/// What the evolution knows about a job. Jobs are in order of arrival.
struct OnesJob {
  int limit = 1;         ///< GPUs that it may have now
  int most = 1;          ///< GPUs that it may ever have, >= limit
  bool is_new = false;   ///< has never run
  bool mutates = false;  ///< has trained long enough to be removed
  int least = 1;         ///< the gang of a rigid job
  /// Remaining service on a number of GPUs [GPU s]; 0 if no progress is predicted.
  std::function<double(int gpus)> remaining;
};

/// GPUs of each job. Laid out in blocks by arrival, this is the genome of ONES, a job for each GPU.
using Schedule = std::vector<int>;

/// The steps of ONES' evolutionary search (Bian et al., SC'21, and its code) over the schedules of
/// `gpus` GPUs.
class Evolution {
 public:
  /// All arguments must outlive this object.
  Evolution(std::span<const OnesJob> jobs, int gpus, RandomStream& random);

  /// Reduced to what jobs may have, then filled. New jobs get one GPU in order of arrival. The
  /// others, those with the least remaining service on one GPU first, get what they may have now,
  /// and then what they may ever have.
  [[nodiscard]] Schedule refreshed(Schedule schedule) const;
  /// A child of two parents: the job of each GPU is exchanged with probability ½.
  [[nodiscard]] std::pair<Schedule, Schedule> crossed(const Schedule& a, const Schedule& b);
  /// Removes each job that has trained long enough with probability θ.
  [[nodiscard]] Schedule mutated(Schedule schedule, double probability);
  /// Remaining service of all jobs in the schedule [GPU s]; less is better.
  [[nodiscard]] double score(const Schedule& schedule) const;
  /// The next generation, best first, the earlier of equal ones first: refreshed, crossed and
  /// mutated schedules, no two of them equal.
  [[nodiscard]] std::vector<Schedule> next(const std::vector<Schedule>& generation,
                                           std::size_t population, double mutation);

 private:
  [[nodiscard]] std::vector<int> laid_out(const Schedule& schedule) const;
  void raise(Schedule& schedule, std::size_t job, int to, int& free) const;

  std::span<const OnesJob> jobs_;
  int gpus_;
  RandomStream& random_;
  std::vector<std::size_t> by_service_;  ///< jobs that are not new, least remaining first
};

}  // namespace mimus::scheduler
