// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/fields.hpp"
#include "base/random.hpp"
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

/// `mix` and `batch` of generators whose jobs are run times unless models are given.
struct ModelChoice {
  ModelMix mix;
  BatchChoice batch = BatchChoice::reference;
};
[[nodiscard]] Fields<ModelChoice> optional_model_fields();

/// Gives jobs of known run time their footprint and work.
class Footprints {
 public:
  /// The models of `context` must outlive it. Throws ConfigError for a model that is unknown.
  Footprints(const ModelChoice& choice, const WorkloadContext& context);

  /// Sets model, batch and work from the gang and stated run time, and returns the run time on the
  /// cluster. The gang is made one of whole replicas (Model::whole_gang()).
  Duration give(Job& job, RandomStream random) const;
  /// GPU time on the cluster over the stated run time of the drawn gang, of its jobs on average.
  [[nodiscard]] double mean_stretch(int drawn) const;

 private:
  std::vector<const Model*> models_;
  std::vector<double> weights_;
  BatchChoice batch_;
  RunTimes run_times_;
};

/// A job without a model is its run time.
void set_run_time_work(Job& job);

}  // namespace mimus::workloads

namespace mimus {

/// `{model: weight}`, ascending by name.
template <>
struct Domain<workloads::ModelMix> {
  [[nodiscard]] workloads::ModelMix read(const ConfigNode& node, const std::string& path) const;
  /// Models alone are no mix that could be written.
  [[nodiscard]] std::string text(const workloads::ModelMix&) const { return "-"; }
  [[nodiscard]] ValueSpec spec() const;
};

}  // namespace mimus
