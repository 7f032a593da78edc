// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json_text.hpp"
#include "base/quantity_text.hpp"
#include "emulator/campaign/campaign_document.hpp"
#include "emulator/campaign/campaign_models.hpp"
#include "emulator/cli/text/terminal.hpp"
#include "emulator/cli/text/text_table.hpp"
#include "emulator/cli/verbs.hpp"
#include "kernels/parallel/parallel_plan.hpp"
#include "kernels/parallel/split_plan.hpp"
#include "workloads/models/model_catalogue.hpp"

namespace mimus::emulator::cli {
namespace {

using workloads::Layer;
using workloads::Model;
using workloads::ModelCatalogue;

constexpr const char* kModelsExamples =
    "  mimus models                      the built-in models\n"
    "  mimus models resnet50             one model, layer by layer\n"
    "  mimus models gpt@t2p4             split over GPUs: two per layer, four stages\n"
    "  mimus models claire@n512t8        a solver on 512^3 points, in eight slabs\n"
    "  mimus models my/unet.yaml         a model file of your own\n"
    "  mimus models unet@p2 --models my  a model of your folder, split\n"
    "  mimus models --json";

struct ModelsArguments {
  std::string model;  ///< name or path of a model file
  std::vector<std::string> own;
  bool json = false;
};

/// The largest part of M₀ that one GPU takes.
std::int64_t reference_per_gpu(const Model& model) {
  return std::min(model.batch.reference, model.batch.per_gpu_max);
}

Bytes memory_at_reference(const Model& model) {
  const kernels::MemoryNeed need = kernels::memory_need(model);
  return need.base + static_cast<double>(reference_per_gpu(model)) * need.per_sample;
}

double giga_flop(const Model& model) {
  return (model.forward_flop() + model.backward_flop()).value * 1e-9;
}

std::int64_t parameters(const Layer& layer) {
  std::int64_t sum = 0;
  for (const std::int64_t elements : layer.parameter_tensors) sum += elements;
  return sum;
}

std::string all_models(const ModelCatalogue& catalogue, int width) {
  using Align = TextTable::Align;
  TextTable table({{"model"},
                   {"M params", Align::right},
                   {"GFLOP/sample", Align::right},
                   {"gradients", Align::right},
                   {"buckets", Align::right},
                   {"M0", Align::right},
                   {"memory at M0", Align::right},
                   {"per GPU", Align::right},
                   {"total max", Align::right},
                   {"summary"}});
  for (const std::string& name : catalogue.names()) {
    const Model& model = catalogue.at(name);
    table.add_row({name, fmt::format("{:.1f}", static_cast<double>(model.parameters()) * 1e-6),
                   fmt::format("{:.3g}", giga_flop(model)), format_bytes(model.gradient_bytes()),
                   std::to_string(model.buckets().size()), std::to_string(model.batch.reference),
                   format_bytes(memory_at_reference(model)),
                   fmt::format("{}-{}", model.batch.per_gpu_min, model.batch.per_gpu_max),
                   std::to_string(model.batch.total_max), model.summary});
  }
  return table.render(width) +
         "\nM0: total batch at which work is counted; its memory is that of one GPU with as much "
         "of "
         "M0\nas it takes. GFLOP: forward and backward; one multiply-add is 2. Batches in "
         "samples.\n";
}

/// What the ranks of a divided grid exchange for a sample.
std::string exchanges(const Model& model) {
  const kernels::StepShape shape{.replicas = model.split.gpus()};
  const kernels::ParallelPlan plan =
      kernels::make_parallel_plan(model, kernels::parallel_shape(model, shape), 0, {});
  std::map<kernels::CollectiveOp, std::pair<int, Bytes>> sums;
  for (const auto& one : plan.forward) {
    auto& [count, bytes] = sums[one.op];
    ++count;
    bytes += one.size;
  }
  const auto& [transposes, spectra] = sums[kernels::CollectiveOp::all_to_all];
  const auto& [sends, planes] = sums[kernels::CollectiveOp::send_recv];
  return fmt::format(
      "split       {} slabs; for a sample a rank exchanges {} in {} all-to-alls and {} in {} sends "
      "to "
      "a\n            neighbour, and takes part in {} sums\n"
      "            layers below are those of the whole grid; memory is that of one slab\n",
      model.split.gpus(), format_bytes(spectra), transposes, format_bytes(planes), sends,
      sums[kernels::CollectiveOp::all_reduce].first);
}

std::string split_line(const Model& model) {
  const workloads::ModelSplit& split = model.split;
  if (split.gpus() == 1) return "";
  if (model.grid.used()) return exchanges(model);
  return fmt::format(
      "split       {} GPUs per replica: {} share every layer, {} stages; tokens {}, optimiser {}\n"
      "            layers below are those of the whole model; memory is that of the fullest GPU\n",
      split.gpus(), split.tensor, split.pipeline, split.sequence_parallel ? "divided" : "whole",
      split.distributed_optimiser ? "divided among replicas" : "whole in each replica");
}

std::string grid_line(const Model& model) {
  if (!model.grid.used()) return "";
  return fmt::format("grid        {0}^3 points, {1:g} fields of {2}\n", model.grid.points,
                     model.grid.fields, format_bytes(model.grid.field()));
}

std::string head(const Model& model) {
  return fmt::format(
      "{}: {}\n"
      "source      {}\n"
      "parameters  {:.3f} M, gradients {} in {} buckets\n"
      "compute     {:.4g} GFLOP/sample forward, {:.4g} backward, {}, {}\n"
      "memory      {} at {} samples per GPU\n"
      "batch       M0 {}, per GPU {} to {}, total at most {}\n{}{}\n",
      model.name, model.summary, model.source, static_cast<double>(model.parameters()) * 1e-6,
      format_bytes(model.gradient_bytes()), model.buckets().size(),
      model.forward_flop().value * 1e-9, model.backward_flop().value * 1e-9, name(model.precision),
      name(model.optimiser), format_bytes(memory_at_reference(model)), reference_per_gpu(model),
      model.batch.reference, model.batch.per_gpu_min, model.batch.per_gpu_max,
      model.batch.total_max, grid_line(model), split_line(model));
}

std::string one_model(const Model& model, int width) {
  using Align = TextTable::Align;
  TextTable table({{"layer group"},
                   {"kind"},
                   {"params", Align::right},
                   {"GFLOP fwd", Align::right},
                   {"GFLOP bwd", Align::right},
                   {"traffic fwd", Align::right},
                   {"saved", Align::right},
                   {"kernels", Align::right}});
  for (const Layer& layer : model.layers) {
    table.add_row({layer.name, name(layer.kind), std::to_string(parameters(layer)),
                   fmt::format("{:.4g}", layer.forward_flop.value * 1e-9),
                   fmt::format("{:.4g}", layer.backward_flop.value * 1e-9),
                   format_bytes(layer.forward_traffic), format_bytes(layer.saved_activations),
                   fmt::format("{}+{}", layer.forward_kernels, layer.backward_kernels)});
  }
  return head(model) + table.render(width) + "\nAll per sample except parameters and kernels.\n";
}

/// Names of the layers that the layer with number `index` reads.
std::vector<std::string> inputs_of(const Model& model, std::size_t index) {
  std::vector<std::string> names;
  for (const std::size_t back : model.layers[index].inputs) {
    if (back <= index) names.push_back(model.layers[index - back].name);
  }
  return names;
}

nlohmann::ordered_json as_json(const Model& model, std::size_t index) {
  const Layer& layer = model.layers[index];
  return {{"name", layer.name},
          {"kind", name(layer.kind)},
          {"inputs", inputs_of(model, index)},
          {"parameters", parameters(layer)},
          {"forward_flop", layer.forward_flop.value},
          {"backward_flop", layer.backward_flop.value},
          {"forward_traffic_bytes", layer.forward_traffic.value},
          {"backward_traffic_bytes", layer.backward_traffic.value},
          {"saved_bytes", layer.saved_activations.value},
          {"forward_kernels", layer.forward_kernels},
          {"backward_kernels", layer.backward_kernels}};
}

nlohmann::ordered_json as_json(const Model& model, bool with_layers) {
  nlohmann::ordered_json out{{"name", model.name},
                             {"summary", model.summary},
                             {"source", model.source},
                             {"parameters", model.parameters()},
                             {"forward_flop", model.forward_flop().value},
                             {"backward_flop", model.backward_flop().value},
                             {"gradient_bytes", model.gradient_bytes().value},
                             {"buckets", model.buckets().size()},
                             {"reference_batch", model.batch.reference},
                             {"per_gpu_batch_min", model.batch.per_gpu_min},
                             {"per_gpu_batch_max", model.batch.per_gpu_max},
                             {"total_batch_max", model.batch.total_max},
                             {"memory_bytes_at_reference", memory_at_reference(model).value}};
  if (model.split.gpus() > 1) {
    out["split"] = {{"tensor", model.split.tensor},
                    {"pipeline", model.split.pipeline},
                    {"sequence_parallel", model.split.sequence_parallel},
                    {"distributed_optimiser", model.split.distributed_optimiser}};
  }
  if (model.grid.used()) {
    out["grid"] = {{"points", model.grid.points}, {"fields", model.grid.fields}};
  }
  if (!with_layers) return out;
  out["layers"] = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < model.layers.size(); ++i) out["layers"].push_back(as_json(model, i));
  return out;
}

std::string as_json(const ModelCatalogue& catalogue) {
  nlohmann::ordered_json document = nlohmann::ordered_json::array();
  for (const std::string& name : catalogue.names()) {
    document.push_back(as_json(catalogue.at(name), false));
  }
  return json_text(document, 2) + "\n";
}

bool is_path(const std::string& model) {
  return model.ends_with(".yaml") || model.ends_with(".yml") || model.find('/') < model.size();
}

int show(const Model& model, bool json) {
  kernels::check_split(model);
  print(json ? json_text(as_json(model, true), 2) + "\n" : one_model(model, terminal_width()));
  return 0;
}

int models(const ModelsArguments& arguments) {
  if (is_path(arguments.model)) {
    check_input_file(arguments.model, {}, "");
    return show(workloads::read_model(load_yaml_file(arguments.model)), arguments.json);
  }
  const ModelCatalogue catalogue = catalogue_with(arguments.own);
  if (!arguments.model.empty()) return show(catalogue.at(arguments.model), arguments.json);
  print(arguments.json ? as_json(catalogue) : all_models(catalogue, terminal_width()));
  return 0;
}

}  // namespace

Verb add_models(CLI::App& app, Session& session) {
  auto arguments = std::make_shared<ModelsArguments>();
  CLI::App* verb =
      add_verb(app, session, "models",
               "List the models that jobs can train, with what a step costs.", kModelsExamples);
  verb->add_option("MODEL", arguments->model, "show this model or model file layer by layer");
  add_models_option(*verb, arguments->own);
  verb->add_flag("--json", arguments->json, "JSON on stdout")->group("Output");
  return {verb, [arguments] { return models(*arguments); }};
}

}  // namespace mimus::emulator::cli
