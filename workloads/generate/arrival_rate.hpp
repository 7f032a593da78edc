// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "base/registry.hpp"
#include "base/yaml_reader.hpp"

namespace mimus::workloads {

/// How often jobs arrive, stated as a time or as a load.
struct ArrivalRate {
  std::optional<Duration> mean_interarrival;
  double load = 0.0;  ///< GPU time asked for per GPU time there is; without mean_interarrival

  /// Mean time between arrivals [s] for jobs that hold `gpu_seconds` on average.
  [[nodiscard]] double mean_gap(double gpu_seconds, int cluster_gpus) const;
};

/// Reads exactly one of `mean_interarrival:` and `load:`. Throws ConfigError.
[[nodiscard]] ArrivalRate read_arrival_rate(YamlReader& reader);
[[nodiscard]] std::vector<ParameterInfo> arrival_rate_parameters();

}  // namespace mimus::workloads
