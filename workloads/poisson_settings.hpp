// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/registry.hpp"
#include "workloads/model_reference.hpp"
#include "workloads/training_request.hpp"

namespace mimus::workloads {

struct WeightedModel {
  ModelReference model;
  double weight = 0.0;
};

struct WeightedGang {
  int gpus = 1;
  double weight = 0.0;
  SourceLocation where;
};

/// Parameters of the Poisson generator.
struct PoissonSettings {
  std::int64_t jobs = 1;
  Duration mean_interarrival{};
  std::vector<WeightedModel> mix;   ///< ascending by name
  std::vector<WeightedGang> gangs;  ///< ascending by size
  bool gangs_given = false;         ///< by the user: then none is left out silently
  Duration duration{};              ///< mean run time on the gang at the reference throughput
  double duration_sigma = 0.0;      ///< of the logarithm of the run time
  std::optional<double> fraction;   ///< of the published training; replaces the run time
  double estimate_error = 0.0;      ///< of the logarithm of the user's estimate
  std::int64_t users = 1;
  std::int64_t virtual_clusters = 1;
  BatchChoice batch = BatchChoice::reference;
  double failure_rate = 0.0;
  std::string hash;  ///< 16 hex digits over all of the above
};

/// Throws ConfigError.
[[nodiscard]] PoissonSettings read_poisson_settings(YamlReader& reader);
[[nodiscard]] std::vector<ParameterInfo> poisson_parameters();

}  // namespace mimus::workloads
