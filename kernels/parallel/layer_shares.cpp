// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/parallel/layer_shares.hpp"

namespace mimus::kernels {
namespace {

using workloads::Layer;
using workloads::LayerGeometry;
using workloads::Operator;

std::int64_t divide_up(std::int64_t value, std::int64_t by) {
  return (value + by - 1) / by;
}

/// Scales all costs of a layer per sample together with its tensors.
void scale_costs(Layer& layer, double share) {
  layer.forward_flop *= share;
  layer.backward_flop *= share;
  layer.forward_traffic *= share;
  layer.backward_traffic *= share;
  layer.saved_activations *= share;
}

/// Recomputes the costs of a dense layer whose shape changed, by the rules of layer_shape.hpp.
void recount_dense(Layer& layer) {
  LayerGeometry& g = layer.geometry;
  g.elements = g.rows * g.out;
  layer.gemm = {g.rows, g.out, g.in, 1};
  const double rows = static_cast<double>(g.rows);
  const double in = 4.0 * rows * static_cast<double>(g.in);
  const double out = 4.0 * rows * static_cast<double>(g.out);
  const double weights = static_cast<double>(g.in) * static_cast<double>(g.out);
  layer.forward_flop = Flop{2.0 * rows * weights};
  layer.backward_flop = 2.0 * layer.forward_flop;
  layer.forward_traffic = Bytes{in + out};
  layer.backward_traffic = Bytes{2.0 * (in + out) + (g.bias ? out : 0.0)};
  layer.weight_traffic = Bytes{1.5 * 4.0 * weights};
  layer.saved_activations = Bytes{(g.saves_input ? in : 0.0) + (g.saves_output ? out : 0.0)};
  layer.parameter_tensors.clear();
  if (!g.tied) layer.parameter_tensors.push_back(g.in * g.out);
  if (g.bias) layer.parameter_tensors.push_back(g.out);
}

void share_columns(Layer& layer, std::int64_t ranks) {
  layer.geometry.out = divide_up(layer.geometry.out, ranks);
  recount_dense(layer);
}

void share_rows(Layer& layer, std::int64_t ranks) {
  layer.geometry.in = divide_up(layer.geometry.in, ranks);
  recount_dense(layer);
}

void share_elements(Layer& layer, std::int64_t ranks) {
  layer.geometry.elements = divide_up(layer.geometry.elements, ranks);
  layer.gemm.count = divide_up(layer.gemm.count, ranks);
  scale_costs(layer, 1.0 / static_cast<double>(ranks));
}

void share_tokens(Layer& layer, std::int64_t ranks) {
  LayerGeometry& g = layer.geometry;
  if (g.op == Operator::linear) {
    g.rows = divide_up(g.rows, ranks);
    return recount_dense(layer);
  }
  g.elements = divide_up(g.elements, ranks);
  if (g.rows > 1) g.rows = divide_up(g.rows, ranks);
  scale_costs(layer, 1.0 / static_cast<double>(ranks));
}

void share_vocabulary(Layer& layer, std::int64_t ranks) {
  LayerGeometry& g = layer.geometry;
  if (g.op == Operator::linear) return share_columns(layer, ranks);
  if (g.op != Operator::embedding) return share_elements(layer, ranks);
  // Every rank looks up all tokens and keeps those in its part of the table.
  g.entries = divide_up(g.entries, ranks);
  layer.parameter_tensors = {g.entries * g.out};
  layer.weight_traffic = layer.weight_traffic / static_cast<double>(ranks);
}

}  // namespace

Layer share_of(const Layer& layer, ShardRole role, const ParallelShape& shape) {
  Layer share = layer;
  if (shape.tensor == 1) return share;
  switch (role) {
    case ShardRole::column:
      share_columns(share, shape.tensor);
      break;
    case ShardRole::row:
      share_rows(share, shape.tensor);
      break;
    case ShardRole::within:
      share_elements(share, shape.tensor);
      break;
    case ShardRole::vocabulary:
      share_vocabulary(share, shape.tensor);
      break;
    case ShardRole::tokens:
      if (shape.sequence_parallel) share_tokens(share, shape.tensor);
      break;
  }
  return share;
}

}  // namespace mimus::kernels
