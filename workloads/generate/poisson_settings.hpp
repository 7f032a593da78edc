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
  Duration duration{};             ///< mean run time, where stated ones hold
  double duration_sigma = 0.0;     ///< of the logarithm of the run time
  std::optional<double> fraction;  ///< of the published training; replaces the run time
  double estimate_error = 0.0;     ///< of the logarithm of the user's estimate
  std::int64_t users = 1;
  std::int64_t virtual_clusters = 1;
  BatchChoice batch = BatchChoice::reference;
  double failure_rate = 0.0;
};

/// Throws ConfigError.
[[nodiscard]] PoissonSettings read_poisson_settings(YamlReader& reader);
[[nodiscard]] PoissonSettings read_diurnal_settings(YamlReader& reader);
[[nodiscard]] std::vector<ParameterInfo> poisson_parameters();
[[nodiscard]] std::vector<ParameterInfo> diurnal_parameters();

}  // namespace mimus::workloads
