// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/generate/model_mix.hpp"

#include <algorithm>

#include "workloads/generate/gang_mix.hpp"

namespace mimus::workloads {

namespace {

void check_mix(YamlReader& reader, const ModelChoice&) {
  if (reader.has("mix")) return;
  if (reader.has("batch")) reader.fail("batch", "needs \"mix\": a run time alone has no batch");
  if (reader.has("duration_on")) {
    reader.fail("duration_on", "needs \"mix\": a run time alone is the same on every machine");
  }
}

}  // namespace

Fields<ModelChoice> optional_model_fields() {
  using C = ModelChoice;
  return {field("mix", &C::mix, {}, "model name to weight; without it jobs are run times alone"),
          field("batch", &C::batch, batch_choices(),
                "with mix: the reference batch, or the reference batch times the gang within the "
                "model's limits")
              .then(check_mix)};
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
  if (const int gang = model.whole_gang(job.gang); gang != job.gang) {
    job.gang = gang;
    if (gang > 1) job.gpu_share = 1.0;
  }
  job.total_batch = total_batch(model, job.gang, batch_);
  job.work_samples = run_times_.samples_in(model, job.gang, job.total_batch, job.run_time);
  return run_times_.on_cluster(model, job.gang, job.total_batch, job.run_time);
}

double Footprints::mean_stretch(int drawn) const {
  if (models_.empty()) return 1.0;
  return mean_over(weights_, [&](std::size_t i) {
    const int gang = models_[i]->whole_gang(drawn);
    const double stretch =
        run_times_.stretch(*models_[i], gang, total_batch(*models_[i], gang, batch_));
    return stretch * gang / drawn;
  });
}

void set_run_time_work(Job& job) {
  job.total_batch = job.gang;
  job.work_samples = to_seconds(job.run_time);
}

}  // namespace mimus::workloads

namespace mimus {

using workloads::ModelMix;

ModelMix Domain<ModelMix>::read(const ConfigNode& node, const std::string& path) const {
  YamlReader weights(node, path);
  ModelMix mix;
  for (const auto& [name, weight] : node.members) {
    mix.push_back({{name, weight.where, path}, weights.get<double>(name, workloads::kWeight)});
  }
  refuse_all_zero(weights, mix);
  std::sort(mix.begin(), mix.end(),
            [](const auto& a, const auto& b) { return a.model.name < b.model.name; });
  return mix;
}

ValueSpec Domain<ModelMix>::spec() const {
  return workloads::weights_spec();
}

}  // namespace mimus
