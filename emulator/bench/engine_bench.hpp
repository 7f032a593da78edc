// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mimus::emulator {

/// One timed run of the virtual engine: a campaign of one cell, as a user would write it.
struct BenchCase {
  std::string series;  ///< cases of one series differ only in their number of jobs
  std::string name;
  std::string yaml;
  double bound_cpu_seconds = 0.0;  ///< stated bound for the whole process; 0 if there is none
  std::string peers;               ///< time of other programs for the same work; "" if unknown
};

/// Resources used by the process that ran a case, from its start to its end.
struct BenchResult {
  std::int64_t jobs = 0;
  double cpu_seconds = 0.0;  ///< user and system
  double peak_bytes = 0.0;   ///< largest resident set
  double decisions = 0.0;
  double decision_mean_us = 0.0;
  double decision_p99_us = 0.0;
  double events = 0.0;      ///< arrivals, first steps and ends
  double mean_queue = 0.0;  ///< jobs waiting, over the makespan (Little's law)
};

/// Growth with the number of jobs, 10^3 up to `most_jobs`, at constant load and with all jobs at
/// once, and on a large cluster of several GPU types.
[[nodiscard]] std::vector<BenchCase> growth_cases(std::int64_t most_jobs);
/// Public traces with stated bounds; empty if the shared data are absent.
[[nodiscard]] std::vector<BenchCase> trace_cases();

/// Runs the case in a process of its own, so that it is measured alone and from its start. If that
/// process fails, throws Error with its message.
[[nodiscard]] BenchResult run_bench_case(const BenchCase& bench);

}  // namespace mimus::emulator
