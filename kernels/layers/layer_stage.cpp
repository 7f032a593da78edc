// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/layers/layer_stage.hpp"

#include <algorithm>

#include "kernels/layers/small_launches.hpp"

namespace mimus::kernels {
namespace {

using workloads::Model;
using workloads::Operator;

/// Length of a softmax's rows: the columns of the product whose scores it normalises.
std::int64_t softmax_row(const Model& model, const LayerGraph& graph, std::size_t layer) {
  const std::int64_t elements = model.layers[layer].geometry.elements;
  std::size_t i = graph.source(layer);
  while (i != LayerGraph::kModelInput && model.layers[i].gemm.rows == 0) i = graph.source(i);
  if (i == LayerGraph::kModelInput) return elements;
  const std::int64_t columns = model.layers[i].gemm.columns;
  return elements % columns == 0 ? columns : elements;
}

/// Whether one kernel performs the layer's addition of a mask and the cast of the next softmax.
bool hands_on_mask(const Model& model, const ReplicaLayout& layout, std::size_t layer) {
  return model.layers[layer].geometry.masked && layer + 1 < model.layers.size() &&
         model.layers[layer + 1].geometry.op == Operator::softmax &&
         layout.widths[layer + 1].casts && layout.parameters.elements > 0;
}

/// Adds one number per column. Some of the weights stand in for the mask.
Launch mask_addition(const LayerStage& stage) {
  Elementwise sum;
  sum.function = Elementwise::Function::add;
  sum.elements = stage.input_elements;
  sum.reads = 2;
  sum.first_bytes = stage.widths.arriving;
  sum.second_elements = stage.mask_elements;
  sum.in = {stage.places.arriving, TensorRef{Region::weights, 0}};
  sum.out = stage.places.input;
  return sum;
}

bool is_dense(Operator op) {
  return op == Operator::convolution || op == Operator::linear || op == Operator::batched_matmul ||
         op == Operator::gru;
}

}  // namespace

bool LayerStage::casts_parameters() const {
  return element_bytes(arithmetic) == 2 && is_dense(geometry.op);
}

TensorRef LayerStage::weight(std::size_t i) const {
  const std::int64_t first = parameters.at(i).first;
  return casts_parameters() ? behind(half_weights, kHalfFloat * first)
                            : TensorRef{Region::weights, kFloat * first};
}

TensorRef LayerStage::gradient(std::size_t i) const {
  return {Region::gradients, kFloat * parameters.at(i).first};
}

TensorRef LayerStage::product_gradient(std::size_t i) const {
  return casts_parameters() ? weight(i) : gradient(i);
}

LayerStage make_stage(const Model& model, const ReplicaLayout& layout, const PlanSettings& settings,
                      std::size_t layer, Pass pass) {
  const auto& shape = model.layers[layer];
  LayerStage stage{.layer = shape,
                   .geometry = shape.geometry,
                   .places = layout.layers[layer],
                   .widths = layout.widths[layer],
                   .parameters = layout.parameters.layers[layer],
                   .half_weights = layout.half_weights,
                   .counters = layout.counters};
  if (pass == Pass::backward) {
    stage.places.spare = stage.places.gradient_spare;
    stage.places.other = stage.places.other_gradient;
    stage.places.wide = stage.places.output_gradient;
  }
  stage.batch = settings.batch;
  stage.bytes = stage.widths.own;
  stage.input_elements = layer_sizes(shape, settings.batch, stage.widths).input / stage.bytes;
  stage.arithmetic = settings.arithmetic;
  if (const auto table = tied_table(model, layer)) {
    const TensorSpan& shared = layout.parameters.layers[*table].front();
    stage.parameters.insert(stage.parameters.begin(), shared);
  }
  if (shape.geometry.op == Operator::softmax) stage.row = softmax_row(model, layout.graph, layer);
  stage.shares_weights = shares_weights(model, layer);
  stage.shares_input = shares_input(model, layout.graph, layer);
  stage.loss = is_loss(model, layer);
  if (layer > 0 && hands_on_mask(model, layout, layer - 1)) {
    stage.mask_elements = std::min(stage.row, layout.parameters.elements);
  }
  stage.hands_on_mask = hands_on_mask(model, layout, layer);
  return stage;
}

void append_input_gradient(std::vector<Launch>& launches, const LayerStage& stage) {
  const LayerPlaces& at = stage.places;
  if (stage.widths.casts) {
    launches.push_back(cast(at.cast_gradient, stage.widths.own, at.input_gradient,
                            stage.widths.arriving, stage.input_elements));
  }
  if (!stage.shares_input) return;
  Elementwise sum;
  sum.function = Elementwise::Function::add;
  sum.elements = stage.input_elements;
  sum.reads = 2;
  sum.bytes = stage.widths.arriving;
  sum.in = {at.input_gradient, at.other};
  sum.out = at.input_gradient;
  launches.push_back(sum);
}

void append_forward(std::vector<Launch>& launches, const LayerStage& stage) {
  if (stage.mask_elements > 0) {
    launches.push_back(mask_addition(stage));
  } else if (stage.widths.casts) {
    launches.push_back(cast(stage.places.arriving, stage.widths.arriving, stage.places.input,
                            stage.widths.own, stage.input_elements));
  }
  const auto append = is_dense(stage.geometry.op) ? append_dense_forward : append_streaming_forward;
  append(launches, stage);
}

void append_backward(std::vector<Launch>& launches, const LayerStage& stage) {
  const auto append =
      is_dense(stage.geometry.op) ? append_dense_backward : append_streaming_backward;
  append(launches, stage);
}

}  // namespace mimus::kernels
