// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace mimus::workloads {

/// Asynchronous successive halving: trials are compared at rungs, each of which takes η times as
/// much training as the one below, and about one in η goes on from each. Source: ASHA (Li et al.,
/// MLSys 2020). This is the variant of Ray Tune, in which a trial that reaches a rung goes on at
/// once or is stopped for good, by its loss among those that were there before it: the best
/// quantile 1/η of them, interpolated linearly. In the paper's Algorithm 2 trials that are not
/// promoted are paused, and later ones may yet push them up.
class Halving {
 public:
  struct Settings {
    double first_rung = 1.0 / 64;  ///< share of a full training, (0, 1)
    double reduction = 4.0;        ///< η > 1
  };
  explicit Halving(const Settings& settings);

  /// Shares of a full training, ascending, below 1.
  [[nodiscard]] const std::vector<double>& rungs() const { return rungs_; }
  /// A trial has come to a rung with this loss. Returns whether it goes on.
  [[nodiscard]] bool goes_on(std::size_t rung, double loss);

 private:
  double kept_;  ///< 1/η
  std::vector<double> rungs_;
  std::vector<std::vector<double>> losses_;  ///< by rung, ascending
};

}  // namespace mimus::workloads
