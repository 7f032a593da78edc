// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Layers that multiply: convolutions, dense layers, attention products, recurrent cells.
#include "workloads/layer_shape.hpp"

namespace mimus::workloads {
namespace {

double as_double(std::int64_t value) {
  return static_cast<double>(value);
}

/// Forward FLOP of `shape` per sample; one multiply-add is 2.
double product_flop(const GemmShape& shape) {
  return 2.0 * as_double(shape.rows) * as_double(shape.columns) * as_double(shape.inner) *
         as_double(shape.count);
}

}  // namespace

Layer read_convolution(YamlReader& reader) {
  const auto in = read_dimension(reader, "in");
  const auto out = read_dimension(reader, "out");
  const Extent kernel = read_extent(reader, "kernel");
  const Extent stride = read_extent_or(reader, "stride", {1, 1});
  const Extent size = read_extent(reader, "size");
  const bool bias = reader.get_or("bias", false);
  const bool input_gradient = reader.get_or("input_gradient", true);

  Layer layer;
  layer.kind = LayerKind::convolution;
  layer.gemm = {.rows = size.height * size.width,
                .columns = out,
                .inner = in * kernel.height * kernel.width,
                .count = 1};
  const double flop = product_flop(layer.gemm);
  const double input = kFloat * as_double(in) * size.area() * stride.area();
  const double output = kFloat * as_double(out) * size.area();
  const double gradients = input_gradient ? 2.0 : 1.0;  // of the weights, and of the input
  layer.forward_flop = Flop{flop};
  layer.backward_flop = Flop{gradients * flop};
  layer.forward_traffic = Bytes{input + output};
  layer.backward_traffic = Bytes{output + gradients * input};
  layer.weight_traffic = dense_weight_traffic(as_double(out) * as_double(layer.gemm.inner));
  layer.saved_activations = read_saved(reader, "none", input, output);
  layer.parameter_tensors = {out * layer.gemm.inner};
  if (bias) layer.parameter_tensors.push_back(out);
  layer.backward_kernels = input_gradient ? 2 : 1;
  return layer;
}

Layer read_linear(YamlReader& reader) {
  const auto in = read_dimension(reader, "in");
  const auto out = read_dimension(reader, "out");
  const auto rows = read_dimension_or(reader, "rows", 1);
  const bool bias = reader.get_or("bias", true);
  const bool tied = reader.get_or("tied", false);  // shares the weights of an earlier layer

  Layer layer;
  layer.kind = LayerKind::gemm;
  layer.gemm = {.rows = rows, .columns = out, .inner = in, .count = 1};
  const double flop = product_flop(layer.gemm);
  const double input = kFloat * as_double(rows) * as_double(in);
  const double output = kFloat * as_double(rows) * as_double(out);
  layer.forward_flop = Flop{flop};
  layer.backward_flop = Flop{2.0 * flop};
  layer.forward_traffic = Bytes{input + output};
  layer.backward_traffic = Bytes{2.0 * (input + output) + (bias ? output : 0.0)};
  layer.weight_traffic = dense_weight_traffic(as_double(in) * as_double(out));
  layer.saved_activations = read_saved(reader, "input", input, output);
  if (!tied) layer.parameter_tensors.push_back(in * out);
  if (bias) layer.parameter_tensors.push_back(out);
  layer.backward_kernels = bias ? 3 : 2;  // input gradient, weight gradient, bias sum
  return layer;
}

Layer read_batched_matmul(YamlReader& reader) {
  Layer layer;
  layer.kind = LayerKind::batched_gemm;
  layer.gemm = {.rows = read_dimension(reader, "rows"),
                .columns = read_dimension(reader, "columns"),
                .inner = read_dimension(reader, "inner"),
                .count = read_dimension(reader, "count")};
  const double count = as_double(layer.gemm.count);
  const double left = as_double(layer.gemm.rows) * as_double(layer.gemm.inner) * count;
  const double right = as_double(layer.gemm.inner) * as_double(layer.gemm.columns) * count;
  const double product = as_double(layer.gemm.rows) * as_double(layer.gemm.columns) * count;
  const double flop = product_flop(layer.gemm);
  layer.forward_flop = Flop{flop};
  layer.backward_flop = Flop{2.0 * flop};
  layer.forward_traffic = Bytes{kFloat * (left + right + product)};
  layer.backward_traffic = 2.0 * layer.forward_traffic;
  layer.saved_activations = read_saved(reader, "input", kFloat * (left + right), kFloat * product);
  layer.backward_kernels = 2;
  return layer;
}

Layer read_gru(YamlReader& reader) {
  const auto in = read_dimension(reader, "in");
  const auto hidden = read_dimension(reader, "hidden");
  const auto steps = read_dimension(reader, "steps");
  const auto directions = reader.get_or<std::int64_t>("directions", 1, {.min = 1.0, .max = 2.0});
  // State kept per step and direction, in units of `hidden`: gates, candidate and library reserve.
  const auto reserve = reader.get_or<double>("reserve", 6.0, kNotNegative);

  Layer layer;
  layer.kind = LayerKind::recurrent;
  const std::int64_t gates = 3 * hidden;
  const double cells = as_double(steps * directions);
  // One step of one direction; the input products of all steps are batched and cost the same FLOP.
  layer.gemm = {.rows = 1, .columns = gates, .inner = hidden, .count = steps * directions};
  const double flop = cells * 2.0 * as_double(gates) * as_double(in + hidden);
  const double input = kFloat * as_double(steps * in);
  const double state = kFloat * cells * as_double(gates + hidden);
  layer.forward_flop = Flop{flop};
  layer.backward_flop = Flop{2.0 * flop};
  layer.forward_traffic = Bytes{as_double(directions) * input + 3.0 * state};
  layer.backward_traffic = 2.0 * layer.forward_traffic;
  // Recurrent weights do not fit in caches and are read again at every step.
  layer.weight_traffic = dense_weight_traffic(as_double(directions * gates) * as_double(in) +
                                              cells * as_double(gates) * as_double(hidden));
  const double kept = kFloat * cells * reserve * as_double(hidden);
  layer.saved_activations = read_saved(reader, "both", input, kept);
  for (std::int64_t d = 0; d < directions; ++d) {
    layer.parameter_tensors.insert(layer.parameter_tensors.end(),
                                   {gates * in, gates * hidden, gates, gates});
  }
  const auto chain = static_cast<int>(2 * steps * directions);  // product and pointwise per step
  layer.forward_kernels = chain + static_cast<int>(directions);
  layer.backward_kernels = chain + static_cast<int>(3 * directions);
  return layer;
}

}  // namespace mimus::workloads
