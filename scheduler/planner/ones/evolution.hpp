// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "base/random.hpp"

namespace mimus::scheduler {

/// What the evolution sees of a job, by arrival.
struct OnesJob {
  int limit = 1;         ///< GPUs that it may have now
  int most = 1;          ///< GPUs that it may ever have, >= limit
  bool is_new = false;   ///< has never run
  bool mutates = false;  ///< has trained for long enough to be taken out
  int least = 1;         ///< the gang of a rigid job
  /// What remains of it on so many GPUs [GPU s]; 0 where no progress is predicted.
  std::function<double(int gpus)> remaining;
};

/// GPUs of each job. Laid out in blocks by arrival this is the genome of ONES, a job for each GPU.
using Schedule = std::vector<int>;

/// The steps of ONES' evolutionary search (Bian et al., SC'21, and its code) over the schedules of
/// `gpus` GPUs.
class Evolution {
 public:
  /// All must outlive this object.
  Evolution(std::span<const OnesJob> jobs, int gpus, RandomStream& random);

  /// Cut to what jobs may have, then filled: new jobs get one GPU in order of arrival; the others,
  /// the least remaining service on one GPU first, get what they may have now, and then what they
  /// may ever have.
  [[nodiscard]] Schedule refreshed(Schedule schedule) const;
  /// Of two parents, each GPU's job changed over with probability ½.
  [[nodiscard]] std::pair<Schedule, Schedule> crossed(const Schedule& a, const Schedule& b);
  /// Without each job that has trained for long enough, with probability θ.
  [[nodiscard]] Schedule mutated(Schedule schedule, double probability);
  /// What remains of all jobs in the schedule [GPU s]: less is better.
  [[nodiscard]] double score(const Schedule& schedule) const;
  /// The next generation, best first, of equal ones the earlier: refreshed, crossed and mutated
  /// ones, no two alike.
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
