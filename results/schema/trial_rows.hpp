// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace mimus::results {

// Rows of hyper-parameter searches; see rows.hpp.

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
