// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/launch/layer_stage.hpp"

namespace mimus::kernels {
namespace {

using workloads::Model;
using workloads::Operator;

/// Length of a softmax's rows: the columns of the latest product, if they divide its tensor.
std::int64_t softmax_row(const Model& model, std::size_t layer) {
  const std::int64_t elements = model.layers[layer].geometry.elements;
  for (std::size_t i = layer; i-- > 0;) {
    const std::int64_t columns = model.layers[i].gemm.columns;
    if (model.layers[i].gemm.rows == 0) continue;
    return elements % columns == 0 ? columns : elements;
  }
  return elements;
}

bool is_dense(Operator op) {
  return op == Operator::convolution || op == Operator::linear || op == Operator::batched_matmul ||
         op == Operator::gru;
}

}  // namespace

bool LayerStage::casts() const {
  return mixed() && is_dense(geometry.op);
}

TensorRef LayerStage::weight(std::size_t i) const {
  const std::int64_t first = parameters.at(i).first;
  return casts() ? TensorRef{Region::scratch, 2 * first}
                 : TensorRef{Region::weights, kFloat * first};
}

TensorRef LayerStage::gradient(std::size_t i) const {
  return {Region::gradients, kFloat * parameters.at(i).first};
}

TensorRef LayerStage::product_gradient(std::size_t i) const {
  return casts() ? weight(i) : gradient(i);
}

LayerStage make_stage(const Model& model, const ReplicaLayout& layout, const PlanSettings& settings,
                      std::size_t layer) {
  const auto& shape = model.layers[layer];
  LayerStage stage{.layer = shape,
                   .geometry = shape.geometry,
                   .places = layout.layers[layer],
                   .parameters = layout.parameters.layers[layer],
                   .counters = layout.counters};
  stage.batch = settings.batch;
  stage.bytes = element_bytes(settings.arithmetic);
  stage.arithmetic = settings.arithmetic;
  if (const auto table = tied_table(model, layer)) {
    const TensorSpan& shared = layout.parameters.layers[*table].front();
    stage.parameters.insert(stage.parameters.begin(), shared);
  }
  stage.parameter_elements = layout.parameters.elements;
  if (shape.geometry.op == Operator::softmax) stage.row = softmax_row(model, layer);
  stage.shares_weights = shares_weights(model, layer);
  return stage;
}

void append_forward(std::vector<Launch>& launches, const LayerStage& stage) {
  const auto append = is_dense(stage.geometry.op) ? append_dense_forward : append_streaming_forward;
  append(launches, stage);
}

void append_backward(std::vector<Launch>& launches, const LayerStage& stage) {
  const auto append =
      is_dense(stage.geometry.op) ? append_dense_backward : append_streaming_backward;
  append(launches, stage);
}

}  // namespace mimus::kernels
