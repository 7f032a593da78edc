// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/generate/model_mix.hpp"

#include <algorithm>

#include "workloads/generate/gang_mix.hpp"

namespace mimus::workloads {

ModelMix read_model_mix(YamlReader& reader) {
  ModelMix mix;
  YamlReader weights = reader.map("mix");
  for (const auto& [name, node] : weights.mapping().members) {
    mix.push_back(
        {{name, node.where, weights.path()}, weights.get<double>(name, {.min = 0.0, .max = 1e9})});
  }
  refuse_all_zero(reader, "mix", mix);
  std::sort(mix.begin(), mix.end(),
            [](const auto& a, const auto& b) { return a.model.name < b.model.name; });
  return mix;
}

BatchChoice read_batch_choice(YamlReader& reader) {
  return reader.choice_or("batch", {"reference", "scaled"}, "reference") == "scaled"
             ? BatchChoice::scaled
             : BatchChoice::reference;
}

std::vector<ParameterInfo> optional_model_parameters() {
  return {{"mix", "mapping", "-", "weights >= 0",
           "model name to weight; without it jobs are run times alone"},
          {"batch", "text", "reference", "reference, scaled",
           "with mix: the reference batch, or that times the gang within the model's limits"}};
}

ModelChoice read_optional_models(YamlReader& reader) {
  if (reader.has("mix")) return {read_model_mix(reader), read_batch_choice(reader)};
  if (reader.has("batch")) reader.fail("batch", "needs \"mix\": a run time alone has no batch");
  return {};
}

Footprints::Footprints(const ModelChoice& choice, const ModelCatalogue& models)
    : weights_(weights_of(choice.mix)), batch_(choice.batch) {
  for (const auto& entry : choice.mix) models_.push_back(&entry.model.resolve(models));
}

void Footprints::give(Job& job, RandomStream random) const {
  if (models_.empty()) return set_run_time_work(job);
  const Model& model = *models_[random.weighted(weights_)];
  job.model = model.name;
  job.total_batch = total_batch(model, job.gang, batch_);
  job.work_samples = std::max(1.0, samples_in(model, job.gang, job.run_time));
}

void set_run_time_work(Job& job) {
  job.total_batch = job.gang;
  job.work_samples = to_seconds(job.run_time);
}

}  // namespace mimus::workloads
