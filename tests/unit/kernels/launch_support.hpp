// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "base/config_tree.hpp"
#include "kernels/launch/launch_cost.hpp"
#include "kernels/launch/launch_operands.hpp"
#include "kernels/layers/autocast.hpp"
#include "kernels/layers/parameter_layout.hpp"
#include "kernels/plan/launch_plan.hpp"
#include "workloads/models/layer_reader.hpp"
#include "workloads/models/model_catalogue.hpp"

namespace mimus::kernels::test {

inline const workloads::ModelCatalogue& models() {
  static const auto catalogue = workloads::ModelCatalogue::built_in();
  return catalogue;
}

/// The same model in fp32.
inline workloads::Model in_fp32(const std::string& name) {
  workloads::Model model = models().at(name);
  model.precision = workloads::Precision::fp32;
  return model;
}

/// A model in fp32 of these lines of a model file.
inline workloads::Model model_of(const std::string& layers) {
  const ConfigNode document = parse_yaml("layers:\n" + layers, "m.yaml");
  YamlReader reader(document, "");
  workloads::Model model;
  model.name = "any";
  model.layers = workloads::read_layers(reader.sequence("layers"), "layers");
  return model;
}

inline LaunchPlan plan_of(const workloads::Model& model, std::int64_t batch,
                          const LaunchOptions& options = {}) {
  return make_launch_plan(model, {.per_gpu_batch = batch}, options);
}

/// Launches of a layer in either pass.
struct PassCounts {
  std::size_t forward = 0;
  std::size_t backward = 0;
};

/// Without mixed precision: what the model file counts, and what it leaves out. Batch norm takes
/// its statistics in a kernel of their own in both passes (with channels first forward only); a
/// softmax but the loss multiplies first; gradients of what two layers share are added up, of an
/// input as of a table.
inline PassCounts counted_launches(const workloads::Model& model, std::size_t i) {
  using workloads::Operator;
  const workloads::Layer& layer = model.layers[i];
  const workloads::LayerGeometry& g = layer.geometry;
  const bool norm = g.op == Operator::batch_norm;
  const bool sums_apart = norm && !g.channels_first;
  const bool softmax = g.op == Operator::softmax && !is_loss(model, i);
  const bool shared_input = shares_input(model, LayerGraph(model), i);
  const std::size_t sums = (shared_input ? 1U : 0U) + (shares_weights(model, i) ? 1U : 0U);
  return {
      static_cast<std::size_t>(layer.forward_kernels) + (norm ? 1U : 0U),
      static_cast<std::size_t>(layer.backward_kernels) + (sums_apart || softmax ? 1U : 0U) + sums};
}

/// Whether the gradient of a layer's input is cast, in mixed precision. A residual sum reads what
/// arrives as it is, but gives back its width.
inline bool casts_gradient(const workloads::Layer& layer, const LayerWidths& widths) {
  using workloads::Operator;
  const workloads::LayerGeometry& g = layer.geometry;
  if (g.op == Operator::residual_add) return widths.own != widths.arriving;
  return widths.casts && (g.op != Operator::convolution || g.input_gradient);
}

/// What mixed precision adds: a cast per parameter and per gradient of products (convolutions have
/// no gradient of a bias), and those of the layer's input and its gradient. A norm of 16 bits
/// copies its statistics into those of all batches.
inline PassCounts casts_of(const workloads::Layer& layer, const LayerWidths& widths) {
  using workloads::Operator;
  const workloads::LayerGeometry& g = layer.geometry;
  const bool convolution = g.op == Operator::convolution;
  PassCounts casts;
  if (convolution || g.op == Operator::linear || g.op == Operator::gru) {
    casts.forward = layer.parameter_tensors.size() + (g.tied ? 1U : 0U);
    casts.backward = convolution ? 1U : casts.forward;
  }
  if (widths.casts) ++casts.forward;
  if (g.op == Operator::batch_norm && widths.own == 2) ++casts.forward;
  if (casts_gradient(layer, widths)) ++casts.backward;
  return casts;
}

/// Whether it turns one width into another.
inline bool casts(const Elementwise& launch) {
  return launch.function == Elementwise::Function::copy && launch.bytes_of_first() != launch.bytes;
}

template <class Shape>
std::vector<Shape> launches_of(const std::vector<Launch>& launches) {
  std::vector<Shape> found;
  for (const Launch& launch : launches) {
    if (const auto* shape = std::get_if<Shape>(&launch)) found.push_back(*shape);
  }
  return found;
}

inline double total_flop(const std::vector<Launch>& launches) {
  double sum = 0.0;
  for (const Launch& launch : launches) sum += flop(launch).value;
  return sum;
}

inline double total_traffic(const std::vector<Launch>& launches) {
  double sum = 0.0;
  for (const Launch& launch : launches) sum += traffic(launch).value;
  return sum;
}

inline std::int64_t activation_bytes(const LaunchPlan& plan) {
  return plan.memory.kept;
}

/// A name that a test may have.
inline std::string test_name(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

}  // namespace mimus::kernels::test
