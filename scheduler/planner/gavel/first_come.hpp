// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <span>

#include "scheduler/planner/gavel/time_fractions.hpp"
#include "scheduler/planner/planner.hpp"

namespace mimus::scheduler {

/// All of the time on one type for each job, in their order, until one finds no type with enough
/// GPUs left: the baseline FIFO of Gavel's artifact. A type is chosen for its speed; of equal ones
/// the first.
class FirstCome {
 public:
  /// Jobs keep their type until they end; otherwise all types are chosen again each time.
  explicit FirstCome(bool keeps_types) : keeps_types_(keeps_types) {}

  /// `shared` has an entry for each of `jobs`.
  [[nodiscard]] TimeFractions fractions(std::span<const PlanJob> jobs, const SharedTypes& shared);

 private:
  bool keeps_types_;
  std::map<JobId, std::size_t> type_of_;
};

}  // namespace mimus::scheduler
