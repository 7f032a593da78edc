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
  if (reader.has("duration_on")) {
    reader.fail("duration_on", "needs \"mix\": a run time alone is the same on every machine");
  }
  return {};
}

Footprints::Footprints(const ModelChoice& choice, const WorkloadContext& context)
    : weights_(weights_of(choice.mix)), batch_(choice.batch), run_times_(context.run_times) {
  for (const auto& entry : choice.mix) models_.push_back(&entry.model.resolve(context.models));
}

Duration Footprints::give(Job& job, RandomStream random) const {
  if (models_.empty()) {
    set_run_time_work(job);
    return job.run_time;
  }
  const Model& model = *models_[random.weighted(weights_)];
  job.model = model.name;
  job.total_batch = total_batch(model, job.gang, batch_);
  job.work_samples = run_times_.samples_in(model, job.gang, job.total_batch, job.run_time);
  return run_times_.on_cluster(model, job.gang, job.total_batch, job.run_time);
}

double Footprints::mean_stretch(int gang) const {
  if (models_.empty()) return 1.0;
  return mean_over(weights_, [&](std::size_t i) {
    return run_times_.stretch(*models_[i], gang, total_batch(*models_[i], gang, batch_));
  });
}

void set_run_time_work(Job& job) {
  job.total_batch = job.gang;
  job.work_samples = to_seconds(job.run_time);
}

}  // namespace mimus::workloads
