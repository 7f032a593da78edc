// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "workloads/models/layer_reader.hpp"
#include "workloads/models/model_catalogue.hpp"
#include "workloads/models/model_on_machine.hpp"

namespace mimus::workloads {
namespace {

constexpr Limits kSamples{.min = 1.0, .max = 1e9};

BatchLimits read_batch(YamlReader reader) {
  BatchLimits batch;
  (void)reader.has("per_gpu_max");  // not per_gpu_min misspelt where that is missing
  batch.reference = reader.get<std::int64_t>("reference", kSamples);
  batch.per_gpu_min = reader.get<std::int64_t>("per_gpu_min", kSamples);
  batch.per_gpu_max = reader.get<std::int64_t>("per_gpu_max", kSamples);
  batch.total_max = reader.get<std::int64_t>("total_max", kSamples);
  if (batch.per_gpu_max < batch.per_gpu_min) {
    reader.fail("per_gpu_max", fmt::format("{} is below per_gpu_min, which is {}",
                                           batch.per_gpu_max, batch.per_gpu_min));
  }
  if (batch.total_max < batch.reference) {
    reader.fail("total_max", fmt::format("{} is below the reference batch, which is {}",
                                         batch.total_max, batch.reference));
  }
  reader.finish();
  return batch;
}

NoiseScaleCurve read_noise_scale(YamlReader& reader) {
  std::vector<NoiseScaleCurve::Point> points;
  const auto& items = reader.sequence("noise_scale");
  if (items.empty()) reader.fail("noise_scale", "needs at least one point");
  for (std::size_t i = 0; i < items.size(); ++i) {
    YamlReader item(items[i], fmt::format("{}[{}]", reader.child_path("noise_scale"), i));
    const auto progress = item.get<double>("progress", kFraction);
    points.push_back({progress, item.get<double>("samples", kPositive)});
    if (i > 0 && progress <= points[i - 1].progress) {
      item.fail("progress", fmt::format("{} does not come after the point before it, at {}",
                                        progress, points[i - 1].progress));
    }
    item.finish();
  }
  return NoiseScaleCurve(std::move(points));
}

std::map<std::string, Efficiency> read_efficiencies(YamlReader reader) {
  std::map<std::string, Efficiency> efficiency;
  if (!reader.has("default")) reader.fail("default", "missing required key \"default\"");
  for (const auto& [gpu, node] : reader.mapping().members) {
    efficiency[gpu] = read_efficiency(reader.map(gpu));
  }
  return efficiency;
}

std::map<std::string, Validation> read_validations(YamlReader reader) {
  std::map<std::string, Validation> validations;
  for (const auto& [gpu, node] : reader.mapping().members) {
    validations[gpu] = read_validation(reader.map(gpu));
  }
  return validations;
}

Optimiser read_optimiser(YamlReader& reader) {
  const auto optimiser = reader.choice("optimiser", {"sgd_momentum", "adam", "lamb"});
  if (optimiser == "sgd_momentum") return Optimiser::sgd_momentum;
  return optimiser == "adam" ? Optimiser::adam : Optimiser::lamb;
}

Precision read_precision(YamlReader& reader) {
  const auto precision = reader.choice("precision", {"fp32", "amp_fp16", "amp_bf16"});
  if (precision == "fp32") return Precision::fp32;
  return precision == "amp_fp16" ? Precision::amp_fp16 : Precision::amp_bf16;
}

BucketRule read_bucket_rule(YamlReader& reader) {
  BucketRule rule;
  if (!reader.has("buckets")) return rule;
  YamlReader buckets = reader.map("buckets");
  rule.first = buckets.get<Bytes>("first", kPositive);
  rule.cap = buckets.get<Bytes>("cap", kPositive);
  buckets.finish();
  return rule;
}

void read_data_set(YamlReader reader, Model& model) {
  model.epoch_samples = reader.get<double>("epoch_samples", kAtLeastOne);
  model.epochs = reader.get<double>("epochs", kPositive);
  reader.finish();
}

void read_host(YamlReader reader, Model& model) {
  model.startup = reader.get<Duration>("startup", kNotNegative);
  if (!reader.has("default")) {
    reader.fail(
        "default",
        "missing required key \"default\": host work belongs to a model on a machine; write "
        "host: {startup: …, default: {per_step: …, per_sample: …}}");
  }
  for (const auto& [gpu, node] : reader.mapping().members) {
    if (gpu != "startup") model.host[gpu] = read_host_work(reader.map(gpu));
  }
}

}  // namespace

Model read_model(const ConfigNode& document) {
  YamlReader reader(document, "");
  (void)reader.get<std::int64_t>("schema", {.min = 1.0, .max = 1.0});
  Model model;
  model.name = reader.get<std::string>("name");
  model.summary = reader.get<std::string>("summary");
  model.source = reader.get<std::string>("source");
  model.optimiser = read_optimiser(reader);
  model.precision = read_precision(reader);
  model.bucket_rule = read_bucket_rule(reader);
  model.batch = read_batch(reader.map("batch"));
  model.noise_scale = read_noise_scale(reader);
  model.input_bytes = reader.get<Bytes>("input", kNotNegative);
  model.buffer_bytes = reader.get_or<Bytes>("buffers", Bytes{}, kNotNegative);
  model.workspace = reader.get<Bytes>("workspace", kNotNegative);
  read_data_set(reader.map("data_set"), model);
  read_host(reader.map("host"), model);
  model.reference_throughput = reader.get<double>("reference_throughput", kPositive);
  model.efficiency = read_efficiencies(reader.map("efficiency"));
  if (reader.has("validation")) model.validation = read_validations(reader.map("validation"));
  model.layers = read_layers(reader.sequence("layers"), "layers");
  if (model.layers.empty()) reader.fail("layers", "needs at least one layer");
  reader.finish();
  return model;
}

}  // namespace mimus::workloads
