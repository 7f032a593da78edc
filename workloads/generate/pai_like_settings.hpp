// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
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
  ShapedArrivals arrivals;
  GangMix gangs;
  std::vector<WeightedShare> gpu_shares;    ///< of gangs of 1, ascending
  std::map<std::string, double> gpu_types;  ///< share of the jobs that may use this type only
  double cores_per_gpu = 0.0;               ///< that jobs ask for, of nodes
  Bytes host_memory_per_gpu{};
  std::vector<WeightedShare> host_shares;  ///< of groups and jobs, ascending; empty: none
  Duration median{}, mean{}, longest{};    ///< of the means of groups and of one-off jobs
  double recurring = 0.0;                  ///< share of jobs that belong to a group
  std::int64_t runs = 1;                   ///< mean runs of a group
  double group_spread = 0.0;               ///< sigma of the logarithm inside a group
  std::int64_t users = 1;
  double top_users = 0.0;  ///< share of jobs of the 5 % most active users
  ModelChoice models;
  std::optional<double> estimate_error;
  RunTimeLaw run_times{1.0, 0.0, 1.0};  ///< from median, mean and longest
};

[[nodiscard]] Fields<PaiLikeSettings> pai_like_fields();
/// What follows from settings that were read. Throws ConfigError.
void settle(YamlReader& reader, PaiLikeSettings& settings);

}  // namespace mimus::workloads
