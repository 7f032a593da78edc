// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "results/schema/rows.hpp"
#include "results/totals/job_sums.hpp"

namespace mimus::results {

inline constexpr std::string_view kGuaranteed = "guaranteed";
inline constexpr std::string_view kOpportunistic = "opportunistic";

/// A slowdown by co-tenants above this is noticeable; guaranteed jobs are promised not to notice
/// co-tenants (Xiao et al., AntMan, OSDI 2020).
inline constexpr double kNoticeableSlowdown = 1.05;

/// A finished job while it ran, without suspensions [s].
struct ClassedRun {
  bool opportunistic = false;
  double running = 0;
  double solo = 0;  ///< of it, without the time lost to co-tenants
  double slow = 0;  ///< of it, with a slowdown above kNoticeableSlowdown
};

/// Sums over the jobs of each class. Jobs of earlier versions' files are guaranteed.
class ClassTotals {
 public:
  void add(const JobRow& row) { sums_[index(row.job_class == kOpportunistic)].add(row); }
  /// Replaces those that were added before.
  void set_runs(const std::array<ClassedRun, 2>& runs) { runs_ = runs; }
  /// Always the same rows: every metric of jobs and of runs, for each class.
  void append(std::vector<TotalRow>& rows) const;

  [[nodiscard]] static std::size_t index(bool opportunistic) { return opportunistic ? 1 : 0; }

 private:
  std::array<JobSums, 2> sums_;
  std::array<ClassedRun, 2> runs_;
};

}  // namespace mimus::results
