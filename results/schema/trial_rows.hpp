// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace mimus::results {

// Rows of applications and of their trials; see rows.hpp.

/// Several jobs that belong together; see totals/application_fairness.hpp.
struct ApplicationRow {
  std::string application;
  std::int64_t jobs = 0;
  std::int64_t finished = 0;
  std::int64_t killed = 0;
  double arrival = 0;  ///< of its first job
  double end = 0;      ///< of its last one
  double service = 0;
  double demand = 0;
  double mean_active = 0;
  double rho = 0;
};

/// A validation of a trial.
struct TrialRow {
  std::int64_t job = -1;
  std::string application;
  std::int64_t trial = 0;
  double learning_rate = 1;  ///< over the best one
  std::int64_t batch = 0;    ///< total [samples]
  std::int64_t rung = 0;
  double time = 0;
  double since_arrival = 0;  ///< of its search
  double progress = 0;       ///< share of a full training
  double loss = 0;
  std::int64_t goes_on = 1;  ///< 0: the search stops it
};

}  // namespace mimus::results
