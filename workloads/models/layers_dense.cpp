// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Layers that multiply matrices: convolutions, dense layers, attention products, recurrent cells.
#include <tuple>

#include "workloads/models/layer_shape.hpp"

namespace mimus::workloads {
namespace {

/// Forward FLOP of `shape` per sample. One multiply-add counts as 2.
double product_flop(const GemmShape& shape) {
  return 2.0 * as_double(shape.rows) * as_double(shape.columns) * as_double(shape.inner) *
         as_double(shape.count);
}

LayerGeometry convolution_geometry(const LayerKeys& keys) {
  LayerGeometry geometry = keys;
  geometry.op = Operator::convolution;
  geometry.elements = geometry.out * geometry.size.height * geometry.size.width;
  return geometry;
}

LayerGeometry gru_geometry(const LayerKeys& keys) {
  LayerGeometry geometry = keys;
  geometry.op = Operator::gru;
  geometry.out = geometry.directions * geometry.hidden;
  geometry.elements = geometry.steps * geometry.out;
  return geometry;
}

}  // namespace

Layer make_convolution(const LayerKeys& keys) {
  const LayerGeometry geometry = convolution_geometry(keys);
  const auto in = geometry.in;
  const auto out = geometry.out;
  Layer layer;
  layer.kind = LayerKind::convolution;
  layer.geometry = geometry;
  layer.gemm = {.rows = geometry.size.height * geometry.size.width,
                .columns = out,
                .inner = in * geometry.kernel.height * geometry.kernel.width,
                .count = 1};
  const double flop = product_flop(layer.gemm);
  const double area = geometry.size.area();
  const double input = kFloat * as_double(in) * area * geometry.stride.area();
  const double output = kFloat * as_double(out) * area;
  const double gradients = geometry.input_gradient ? 2.0 : 1.0;  // of the weights and of the input
  layer.forward_flop = Flop{flop};
  layer.backward_flop = Flop{gradients * flop};
  layer.forward_traffic = Bytes{input + output};
  layer.backward_traffic = Bytes{output + gradients * input};
  layer.weight_traffic = dense_weight_traffic(as_double(out) * as_double(layer.gemm.inner));
  keep_for_backward(layer, *keys.saves, input, output);
  layer.parameter_tensors = {out * layer.gemm.inner};
  if (geometry.bias) layer.parameter_tensors.push_back(out);
  layer.backward_kernels = geometry.input_gradient ? 2 : 1;
  return layer;
}

Layer make_linear(const LayerKeys& keys) {
  const auto [in, out, rows] = std::tuple(keys.in, keys.out, keys.rows);
  const auto [bias, tied] = std::tuple(keys.bias, keys.tied);
  Layer layer;
  layer.kind = LayerKind::gemm;
  layer.geometry = {.op = Operator::linear,
                    .in = in,
                    .out = out,
                    .rows = rows,
                    .elements = rows * out,
                    .bias = bias,
                    .tied = tied};
  layer.gemm = {.rows = rows, .columns = out, .inner = in, .count = 1};
  const double flop = product_flop(layer.gemm);
  const double input = kFloat * as_double(rows) * as_double(in);
  const double output = kFloat * as_double(rows) * as_double(out);
  layer.forward_flop = Flop{flop};
  layer.backward_flop = Flop{2.0 * flop};
  layer.forward_traffic = Bytes{input + output};
  layer.backward_traffic = Bytes{2.0 * (input + output) + (bias ? output : 0.0)};
  layer.weight_traffic = dense_weight_traffic(as_double(in) * as_double(out));
  keep_for_backward(layer, *keys.saves, input, output);
  if (!tied) layer.parameter_tensors.push_back(in * out);
  if (bias) layer.parameter_tensors.push_back(out);
  layer.backward_kernels = bias ? 3 : 2;  // input gradient, weight gradient, bias sum
  return layer;
}

Layer make_batched_matmul(const LayerKeys& keys) {
  Layer layer;
  layer.kind = LayerKind::batched_gemm;
  layer.gemm = {
      .rows = keys.rows, .columns = keys.columns, .inner = keys.inner, .count = keys.count};
  layer.geometry = {.op = Operator::batched_matmul,
                    .elements = layer.gemm.rows * layer.gemm.columns * layer.gemm.count};
  const double count = as_double(layer.gemm.count);
  const double left = as_double(layer.gemm.rows) * as_double(layer.gemm.inner) * count;
  const double right = as_double(layer.gemm.inner) * as_double(layer.gemm.columns) * count;
  const double product = as_double(layer.gemm.rows) * as_double(layer.gemm.columns) * count;
  const double flop = product_flop(layer.gemm);
  layer.forward_flop = Flop{flop};
  layer.backward_flop = Flop{2.0 * flop};
  layer.forward_traffic = Bytes{kFloat * (left + right + product)};
  layer.backward_traffic = 2.0 * layer.forward_traffic;
  keep_for_backward(layer, *keys.saves, kFloat * (left + right), kFloat * product);
  layer.backward_kernels = 2;
  return layer;
}

Layer make_gru(const LayerKeys& keys) {
  const LayerGeometry geometry = gru_geometry(keys);
  const auto [in, hidden, steps] = std::tuple(geometry.in, geometry.hidden, geometry.steps);
  const std::int64_t directions = geometry.directions;

  Layer layer;
  layer.kind = LayerKind::recurrent;
  layer.geometry = geometry;
  const std::int64_t gates = 3 * hidden;
  const double cells = as_double(steps * directions);
  // One step of one direction. The input products of all steps are batched and take the same FLOP.
  layer.gemm = {.rows = 1, .columns = gates, .inner = hidden, .count = steps * directions};
  const double flop = cells * 2.0 * as_double(gates) * as_double(in + hidden);
  const double input = kFloat * as_double(steps * in);
  const double state = kFloat * cells * as_double(gates + hidden);
  layer.forward_flop = Flop{flop};
  layer.backward_flop = Flop{2.0 * flop};
  layer.forward_traffic = Bytes{as_double(directions) * input + 3.0 * state};
  // The gradient of the biases reads the gates again.
  layer.backward_traffic = 2.0 * layer.forward_traffic + Bytes{kFloat * cells * as_double(gates)};
  // Recurrent weights do not fit in caches, so they are read again at every step.
  layer.weight_traffic = dense_weight_traffic(as_double(directions * gates) * as_double(in) +
                                              cells * as_double(gates) * as_double(hidden));
  const double kept = kFloat * cells * geometry.reserve * as_double(hidden);
  keep_for_backward(layer, *keys.saves, input, kept);
  for (std::int64_t d = 0; d < directions; ++d) {
    layer.parameter_tensors.insert(layer.parameter_tensors.end(),
                                   {gates * in, gates * hidden, gates, gates});
  }
  const auto chain = static_cast<int>(2 * steps * directions);  // product and gates per step
  layer.forward_kernels = chain + static_cast<int>(directions);
  layer.backward_kernels = chain + static_cast<int>(4 * directions);
  return layer;
}

}  // namespace mimus::workloads
