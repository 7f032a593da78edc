// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <vector>

namespace mimus::scheduler {

struct Minimum {
  std::vector<double> at;
  double value = 0.0;
};

/// A function of several variables; writes its gradient to `slope`.
using Objective = std::function<double(std::span<const double> at, std::span<double> slope)>;

/// Quasi-Newton descent (BFGS) with a line search by bisection to the weak Wolfe conditions, which
/// also converges if the function has kinks (Lewis and Overton, Mathematical Programming 141,
/// 2013). Ends when no step along the gradient reduces the function. Deterministic.
[[nodiscard]] Minimum minimise(const Objective& objective, std::vector<double> from,
                               int most_iterations);

}  // namespace mimus::scheduler
