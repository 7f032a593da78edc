// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "emulator/run/runner.hpp"

namespace mimus::emulator {

/// How close the virtual engine comes to the live one in one cell: relative errors of the virtual
/// result with the live one as reference, over jobs that finished in both.
struct TwinCell {
  std::string label;
  std::int64_t jobs = 0;
  double live_jct_mean = 0.0;  ///< s
  double virtual_jct_mean = 0.0;
  double jct_mean_error = 0.0;   ///< of the mean
  double jct_error_mean = 0.0;   ///< mean of |error| over jobs
  double jct_error_worst = 0.0;  ///< largest |error| of a job
  std::string worst_job;         ///< its name
  double makespan_error = 0.0;
  double live_late_share = 0.0;  ///< share of step time in which the host was behind
};

/// Runs every cell of a campaign live, into `<output>/live`, and then in virtual time with the
/// steps and slowdowns that the live run measured, into `<output>/virtual`, and compares them job
/// by job. Complete cells are not run again unless requested. Throws like running a campaign; Error
/// if the live run fails.
[[nodiscard]] std::vector<TwinCell> run_twin(const RunOptions& options);

}  // namespace mimus::emulator
