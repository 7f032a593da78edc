// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/registry.hpp"
#include "workloads/generate/arrival_clock.hpp"
#include "workloads/generate/arrival_rate.hpp"
#include "workloads/generate/gang_mix.hpp"
#include "workloads/generate/generated_stream.hpp"
#include "workloads/generate/model_mix.hpp"

namespace mimus::workloads {

/// Parameters of the generators `poisson` and `diurnal`.
struct PoissonSettings : GeneratorSettings {
  ArrivalRate rate;
  std::optional<WeekShape> week;  ///< of `diurnal`
  ModelMix mix;                   ///< empty: jobs are run times alone
  GangMix gangs;
  Duration duration = std::chrono::minutes(10);  ///< mean run time, where stated ones hold
  double duration_sigma = 1.0;                   ///< of the logarithm of the run time
  std::optional<double> fraction;  ///< of the published training; replaces the run time
  bool run_time_jobs = false;      ///< without models
  double estimate_error = 0.5;     ///< of the logarithm of the user's estimate
  std::int64_t users = 10;
  std::int64_t virtual_clusters = 1;
  BatchChoice batch = BatchChoice::reference;
  double failure_rate = 0.0;
};

[[nodiscard]] Fields<PoissonSettings> poisson_fields();
[[nodiscard]] Fields<PoissonSettings> diurnal_fields();
/// What follows from settings that were read; `name` is the source's. Throws ConfigError.
void settle(YamlReader& reader, PoissonSettings& settings, std::string name);

}  // namespace mimus::workloads
