// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "scheduler/planner/gavel/time_fractions.hpp"
#include "scheduler/planner/planner.hpp"

namespace mimus::scheduler {

/// FIFO without speeds as the code of Gavel's artifact (scheduler/policies/fifo.py) computes it,
/// with its mistake. Jobs keep their type, which passes to a waiting job when they end. Other jobs
/// get the last type of a list. When this type has no GPUs left, the code removes a random type
/// from the list instead. If that is another one, all jobs that follow get the exhausted type, and
/// share its GPUs in turns.
class ArtifactQueue {
 public:
  explicit ArtifactQueue(std::uint64_t seed) : random_(seed, "queue of gavel's artifact") {}

  /// `jobs`: in the order of their arrival. `shared`: an entry for each of them. `types`: all types
  /// in the order of the list; in the artifact that of their names.
  [[nodiscard]] TimeFractions fractions(std::span<const PlanJob> jobs, const SharedTypes& shared,
                                        std::vector<std::size_t> types);

 private:
  void pass_on_types(std::span<const PlanJob> jobs, const SharedTypes& shared);
  void give_types(std::span<const PlanJob> jobs, const SharedTypes& shared,
                  std::vector<std::size_t> types);

  RandomStream random_;
  std::map<JobId, std::size_t> type_of_;  ///< of jobs that are there
  std::deque<std::size_t> queue_;         ///< jobs without a type, by their place in `jobs`
  std::vector<double> gpus_left_;         ///< of each type; negative: shared in turns
};

}  // namespace mimus::scheduler
