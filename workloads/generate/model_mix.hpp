// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "base/registry.hpp"
#include "workloads/job.hpp"
#include "workloads/model_reference.hpp"
#include "workloads/training_request.hpp"

namespace mimus::workloads {

struct WeightedModel {
  ModelReference model;
  double weight = 0.0;
};

/// Models and how often each is trained; empty when jobs are run times alone.
using ModelMix = std::vector<WeightedModel>;

/// Reads `mix:` {model: weight}, ascending by name. Throws ConfigError.
[[nodiscard]] ModelMix read_model_mix(YamlReader& reader);
/// Reads `batch:`.
[[nodiscard]] BatchChoice read_batch_choice(YamlReader& reader);

/// `mix` and `batch` of generators whose jobs are run times unless models are given.
[[nodiscard]] std::vector<ParameterInfo> optional_model_parameters();
struct ModelChoice {
  ModelMix mix;
  BatchChoice batch = BatchChoice::reference;
};
[[nodiscard]] ModelChoice read_optional_models(YamlReader& reader);

/// Gives jobs of known run time their footprint and work.
class Footprints {
 public:
  /// `models` must outlive it. Throws ConfigError for a model that is unknown.
  Footprints(const ModelChoice& choice, const ModelCatalogue& models);

  /// Sets model, batch and work from the gang and run time.
  void give(Job& job, RandomStream random) const;

 private:
  std::vector<const Model*> models_;
  std::vector<double> weights_;
  BatchChoice batch_;
};

/// A job without a model is its run time.
void set_run_time_work(Job& job);

}  // namespace mimus::workloads
