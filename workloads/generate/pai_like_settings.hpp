// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "workloads/generate/arrival_clock.hpp"
#include "workloads/generate/arrival_rate.hpp"
#include "workloads/generate/gang_mix.hpp"
#include "workloads/generate/generated_stream.hpp"
#include "workloads/generate/model_mix.hpp"
#include "workloads/generate/run_time_law.hpp"

namespace mimus::workloads {

struct WeightedShare {
  double share = 1.0;  ///< of one GPU
  double weight = 0.0;
};

/// Parameters of the generator `pai-like`.
struct PaiLikeSettings : GeneratorSettings {
  ArrivalRate rate;
  std::optional<WeekShape> week;
  GangMix gangs;
  std::vector<WeightedShare> gpu_shares;  ///< of gangs of 1, ascending
  RunTimeLaw run_times{1.0, 0.0, 1.0};    ///< of the means of groups and of one-off jobs
  double recurring = 0.0;                 ///< share of jobs that belong to a group
  std::int64_t runs = 1;                  ///< mean runs of a group
  double group_spread = 0.0;              ///< sigma of the logarithm inside a group
  std::int64_t users = 1;
  double top_users = 0.0;  ///< share of jobs of the 5 % most active users
  ModelChoice models;
  std::optional<double> estimate_error;
};

/// Throws ConfigError.
[[nodiscard]] PaiLikeSettings read_pai_like_settings(YamlReader& reader);
[[nodiscard]] std::vector<ParameterInfo> pai_like_parameters();

}  // namespace mimus::workloads
