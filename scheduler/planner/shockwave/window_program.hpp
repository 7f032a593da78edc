// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

namespace mimus::scheduler {

/// A job in the next rounds.
struct WindowJob {
  int gang = 1;
  double made = 0.0;     ///< share of its epochs, 0..1
  double rest = 0.0;     ///< time that the others take [s]
  double left = 0.0;     ///< time that they are predicted to take [s]
  double weight = 1.0;   ///< of its welfare
  int least_rounds = 0;  ///< minimum number of rounds
};
struct Window {
  int gpus = 0;
  int rounds = 0;
  double round = 0.0;     ///< length [s]
  double makespan = 0.0;  ///< weight of the longest time left after the window [1/s]
};

/// The number of rounds of each job that maximises Σ weight·log(share of epochs made) ÷ (jobs ×
/// rounds) − makespan × the longest time left (Nash social welfare; Zheng et al., NSDI'23 §4 and
/// Eq. 9). The logarithm is linear between 0, ⅕, …, 1, and concave, so that each further round of a
/// job is worth less. Rounds of equal value are one whole number for GLPK, to within a thousandth
/// of the optimum. The least rounds must be possible.
[[nodiscard]] std::vector<int> rounds_of_window(std::span<const WindowJob> jobs,
                                                const Window& window);

}  // namespace mimus::scheduler
