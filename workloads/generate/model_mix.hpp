// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "base/registry.hpp"
#include "workloads/jobs/job.hpp"
#include "workloads/jobs/training_request.hpp"
#include "workloads/jobs/workload_source.hpp"
#include "workloads/models/model_reference.hpp"

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
  /// The models of `context` must outlive it. Throws ConfigError for a model that is unknown.
  Footprints(const ModelChoice& choice, const WorkloadContext& context);

  /// Sets model, batch and work from the gang and stated run time, and returns the run time on the
  /// cluster.
  Duration give(Job& job, RandomStream random) const;
  /// Run time on the cluster over the stated one, of a gang's jobs on average.
  [[nodiscard]] double mean_stretch(int gang) const;

 private:
  std::vector<const Model*> models_;
  std::vector<double> weights_;
  BatchChoice batch_;
  RunTimes run_times_;
};

/// A job without a model is its run time.
void set_run_time_work(Job& job);

}  // namespace mimus::workloads
