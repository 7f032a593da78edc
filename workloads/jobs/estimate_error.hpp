// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <optional>

#include "base/fields.hpp"
#include "base/random.hpp"
#include "workloads/jobs/job.hpp"

namespace mimus::workloads {

/// The run time that a user states, wrong by a lognormal factor of median 1.
[[nodiscard]] inline Duration erring_estimate(Duration run_time, double sigma,
                                              RandomStream random) {
  const Duration estimate = scale(run_time, random.lognormal(0.0, sigma));
  return std::max(estimate, Duration{1});  // zero would mean that none was given
}

inline constexpr Limits kEstimateError{.min = 0.0, .max = 5.0};

/// The key `estimate_error` of generators. Without it users state no run times.
template <class S>
[[nodiscard]] Field<S> optional_estimate_field() {
  return field("estimate_error", &S::estimate_error, kEstimateError,
               "lognormal error of user estimates; without it users state none");
}

}  // namespace mimus::workloads
