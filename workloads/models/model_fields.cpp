// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/models/model_fields.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/mapping_fields.hpp"
#include "workloads/models/layer_operators.hpp"

namespace mimus::workloads {
namespace {

using M = ModelFile;

Fields<M> head_fields() {
  return {required_field("schema", &M::schema, between(1, 1), "version of this file format"),
          required_field("name", &M::name, {}, "in the catalogue"),
          required_field("summary", &M::summary, {}, "one line"),
          required_field("source", &M::source, {}, "origin of the numbers"),
          required_field("optimiser", &M::optimiser,
                         {{"sgd_momentum", Optimiser::sgd_momentum},
                          {"adam", Optimiser::adam},
                          {"lamb", Optimiser::lamb}},
                         "optimiser, which decides memory and update traffic"),
          required_field(
              "precision", &M::precision,
              {{"fp32", Precision::fp32}, {"fp16", Precision::fp16}, {"bf16", Precision::bf16}},
              "precision of the arithmetic")};
}

Fields<BucketRule> bucket_fields() {
  using B = BucketRule;
  return {required_field("first", &B::first, kPositive, "size of the bucket that is reduced first"),
          required_field("cap", &B::cap, kPositive, "size of the others")};
}

void check_per_gpu(const YamlReader& reader, const BatchLimits& batch) {
  if (batch.per_gpu_max >= batch.per_gpu_min) return;
  reader.fail("per_gpu_max", fmt::format("{} is below per_gpu_min, which is {}", batch.per_gpu_max,
                                         batch.per_gpu_min));
}

void check_total(const YamlReader& reader, const BatchLimits& batch) {
  if (batch.total_max >= batch.reference) return;
  reader.fail("total_max", fmt::format("{} is below the reference batch, which is {}",
                                       batch.total_max, batch.reference));
}

Fields<BatchLimits> batch_fields() {
  using B = BatchLimits;
  constexpr Limits kSamples = between(1, 1e9);
  return {required_field("reference", &B::reference, kSamples,
                         "M0: total batch at which work is counted"),
          required_field("per_gpu_min", &B::per_gpu_min, kSamples, "smallest batch of one GPU"),
          required_field("per_gpu_max", &B::per_gpu_max, kSamples, "largest batch of one GPU")
              .then(check_per_gpu),
          required_field("total_max", &B::total_max, kSamples,
                         "largest total batch; beyond it training does not converge")
              .then(check_total)};
}

using NoisePoints = std::vector<NoiseScaleCurve::Point>;

void read_noise_scale(YamlReader& reader, const Fields<NoiseScaleCurve::Point>& fields, M& model) {
  NoisePoints points;
  const auto& items = reader.sequence("noise_scale");
  if (items.empty()) reader.fail("noise_scale", "needs at least one point");
  for (const ConfigNode& node : items) {
    YamlReader item(node, fmt::format("{}[{}]", reader.child_path("noise_scale"), points.size()));
    const auto point = read_fields(fields, item);
    if (!points.empty() && point.progress <= points.back().progress) {
      item.fail("progress", fmt::format("{} does not come after the point before it, at {}",
                                        point.progress, points.back().progress));
    }
    item.finish();
    points.push_back(point);
  }
  model.noise_scale = NoiseScaleCurve(std::move(points));
}

Field<M> noise_scale_field() {
  using P = NoiseScaleCurve::Point;
  const Fields<P> fields{
      required_field("progress", &P::progress, kFraction, "progress of the training, ascending"),
      required_field("samples", &P::noise_scale, kPositive,
                     "gradient noise scale at that progress")};
  const ValueSpec spec{.form = ValueSpec::Form::list, .at_least_one = true};
  return {{"noise_scale", spec, "", "points of the gradient noise scale; geometric between them",
           parameters_of(fields)},
          [fields](YamlReader& reader, M& model) { read_noise_scale(reader, fields, model); }};
}

void check_loss_end(const YamlReader& reader, const LossCurve::Shape& loss) {
  if (loss.end > loss.limit && loss.end < 1.0) return;
  reader.fail("end",
              fmt::format("{} is not between limit, which is {}, and 1: a loss falls from its "
                          "first value, but never to its limit",
                          loss.end, loss.limit));
}

/// A curve for a mapping that may be left out.
Field<M> loss_field() {
  using S = LossCurve::Shape;
  const Fields<S> fields{
      field("initial", &S::initial, kPositive, "before the first step"),
      field("limit", &S::limit, kFraction, "to which it falls if trained for ever, of initial"),
      field("end", &S::end, kFraction, "at the end of the training, of initial")
          .then(check_loss_end),
      field("spread", &S::spread, kNotNegative,
            "standard deviation of the loss of a sample over its mean")};
  return {{"loss",
           {.form = ValueSpec::Form::mapping},
           "-",
           "of training, 1 / (a x progress + b) + c",
           parameters_of(fields)},
          [fields](YamlReader& reader, M& model) {
            if (reader.has("loss"))
              model.loss = LossCurve(read_mapping(fields, reader.map("loss")));
          }};
}

/// One mapping for machines that are not named, and any number of mappings for named ones. `first`
/// are keys beside them. `hint` is appended to the error if the default mapping is missing.
template <class Part>
Field<M> by_machine(const char* name, std::map<std::string, Part> Model::*member,
                    const Fields<Part>& parts, const Fields<M>& first, const std::string& hint,
                    const char* summary) {
  const ValueSpec spec{.form = ValueSpec::Form::mapping};
  ParameterInfo info{name, spec, "", summary, parameters_of(first)};
  info.fields.push_back(
      {"default", spec, "", "values for GPU types that are not named", parameters_of(parts)});
  info.fields.push_back(
      {"*", spec, "", "values for the GPU type of this name", parameters_of(parts)});
  return {std::move(info), [=, &parts](YamlReader& reader, M& model) {
            YamlReader entries = reader.map(name);
            for (const Field<M>& field : first) field.read(entries, model);
            if (!entries.has("default")) {
              entries.fail("default", "missing required key \"default\"" + hint);
            }
            for (const auto& entry : entries.mapping().members) {
              const std::string& key = entry.first;
              const auto same = [&](const Field<M>& field) { return field.info.name == key; };
              if (std::any_of(first.begin(), first.end(), same)) continue;
              (model.*member)[key] = read_mapping(parts, entries.map(key));
            }
          }};
}

/// A section whose keys are stored in the model itself.
Field<M> data_set_field() {
  const Fields<M> fields{
      required_field("epoch_samples", &M::epoch_samples, kAtLeastOne, "samples of an epoch"),
      required_field("epochs", &M::epochs, kPositive, "epochs to the published quality at M0")};
  return {{"data_set",
           {.form = ValueSpec::Form::mapping},
           "",
           "the published training",
           parameters_of(fields)},
          [fields](YamlReader& reader, M& model) {
            YamlReader data_set = reader.map("data_set");
            for (const Field<M>& field : fields) field.read(data_set, model);
            data_set.finish();
          }};
}

Fields<Grid> grid_fields() {
  return {required_field("points", &Grid::points, between(kFewestPoints, kMostPoints),
                         "points along each side"),
          required_field("fields", &Grid::fields, between(1, 1e4),
                         "numbers per point that are kept through a step")};
}

Fields<M> size_fields() {
  return {mapping_field("buckets", &M::bucket_rule, bucket_fields(), "",
                        "buckets of gradients; default: 1 MiB, then 25 MiB"),
          mapping_field("grid", &M::grid, grid_fields(), "-",
                        "cube of points of a solver, which has layers on it in place of training"),
          required_mapping("batch", &M::batch, batch_fields(), "sizes in samples"),
          noise_scale_field(),
          loss_field(),
          required_field("input", &M::input_bytes, kNotNegative, "of a sample"),
          field("buffers", &M::buffer_bytes, kNotNegative,
                "broadcast before the first forward pass of a step"),
          required_field("workspace", &M::workspace, kNotNegative,
                         "memory of context and libraries, per replica"),
          data_set_field()};
}

Fields<M> machine_fields() {
  const Fields<M> startup{required_field("startup", &M::startup, kNotNegative,
                                         "start-up time of an attempt, before its first step")};
  return {by_machine("host", &M::host, host_work_fields(), startup,
                     ": host work belongs to a model on a machine; write host: {startup: …, "
                     "default: {per_step: …, per_sample: …}}",
                     "host time"),
          required_field("reference_throughput", &M::reference_throughput, kPositive,
                         "samples/s of one GPU at M0, published"),
          by_machine("efficiency", &M::efficiency, efficiency_fields(), {}, "",
                     "share of the peak rates that kernels reach"),
          named_mappings("validation", &M::validation, validation_fields(),
                         "comparison on the GPU type of this name",
                         "measurements that modelled steps of one GPU were compared with")};
}

}  // namespace

const Fields<ModelFile>& model_fields() {
  static const Fields<ModelFile> fields = all_of<ModelFile>(
      {head_fields(), size_fields(), machine_fields(), {layers_field(&ModelFile::listed)}});
  return fields;
}

}  // namespace mimus::workloads
