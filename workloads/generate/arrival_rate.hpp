// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "base/fields.hpp"

namespace mimus::workloads {

/// How often jobs arrive, stated as a time or as a load.
struct ArrivalRate {
  std::optional<Duration> mean_interarrival;
  double load = 0.0;  ///< GPU time asked for per GPU time there is; without mean_interarrival

  /// Mean time between arrivals [s] for jobs that hold `gpu_seconds` on average.
  [[nodiscard]] double mean_gap(double gpu_seconds, int cluster_gpus) const;
};

/// `mean_interarrival` and `load`, of which exactly one must be given.
[[nodiscard]] Fields<ArrivalRate> arrival_rate_fields();

}  // namespace mimus::workloads
