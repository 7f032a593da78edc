// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Layers that are bound by memory. They differ in how often they read or write their tensors.
#include <cmath>
#include <tuple>

#include "workloads/models/layer_shape.hpp"

namespace mimus::workloads {
namespace {

/// The geometry of a layer whose output per sample is `channels` × `size`, or `elements` for
/// tensors that are not images.
LayerGeometry geometry_of(const LayerKeys& keys, Operator op) {
  LayerGeometry geometry = keys;
  geometry.op = op;
  geometry.elements = keys.stated_elements ? std::llround(*keys.stated_elements)
                                           : keys.out * keys.size.height * keys.size.width;
  return geometry;
}

/// A kernel that moves tensors of `elements` `forward` times (reads plus writes) in the forward
/// pass and `backward` times in the backward pass.
Layer streaming(const LayerGeometry& geometry, double elements, double forward, double backward) {
  Layer layer;
  layer.kind = LayerKind::elementwise;
  layer.geometry = geometry;
  layer.forward_traffic = Bytes{kFloat * forward * elements};
  layer.backward_traffic = Bytes{kFloat * backward * elements};
  return layer;
}

/// The same for a layer whose input and output have the same size and which keeps `saved`.
Layer streaming(const LayerGeometry& geometry, double forward, double backward, Saves saves) {
  const double elements = as_double(geometry.elements);
  Layer layer = streaming(geometry, elements, forward, backward);
  keep_for_backward(layer, saves, kFloat * elements, kFloat * elements);
  return layer;
}

/// A streaming layer with a scale and a shift per channel, which keeps its input.
Layer normalisation(const LayerGeometry& geometry, double forward, double backward, Saves saves) {
  Layer layer = streaming(geometry, forward, backward, saves);
  layer.kind = LayerKind::normalisation;
  layer.parameter_tensors = {geometry.out, geometry.out};
  return layer;
}

}  // namespace

Layer make_batch_norm(const LayerKeys& keys) {
  // Statistics cover the whole batch, so each direction needs two passes: x, x → y and (x, dy), (x,
  // dy) → dx. The second forward launch counts the batches.
  Layer layer = normalisation(geometry_of(keys, Operator::batch_norm), 3.0, 5.0, *keys.saves);
  layer.forward_kernels = 2;
  return layer;
}

Layer make_layer_norm(const LayerKeys& keys) {
  // A row fits on chip: x → y and (x, dy) → dx. The second backward launch sums the parameter
  // gradients.
  LayerGeometry geometry = geometry_of(keys, Operator::layer_norm);
  geometry.elements = geometry.out * geometry.rows;
  Layer layer = normalisation(geometry, 2.0, 3.0, *keys.saves);
  layer.backward_kernels = 2;
  return layer;
}

Layer make_activation(const LayerKeys& keys) {
  // GELU's derivative needs its input; the others work in place and keep their output.
  const Saves usual = keys.function == Activation::gelu ? Saves::input : Saves::output;
  return streaming(geometry_of(keys, Operator::activation), 2.0, 3.0, keys.saves.value_or(usual));
}

Layer make_residual_add(const LayerKeys& keys) {
  // The backward pass sums the gradients of both branches.
  return streaming(geometry_of(keys, Operator::residual_add), 3.0, 3.0, *keys.saves);
}

Layer make_softmax(const LayerKeys& keys) {
  return streaming(geometry_of(keys, Operator::softmax), 2.0, 3.0, *keys.saves);
}

Layer make_dropout(const LayerKeys& keys) {
  // One fused kernel per direction. The mask takes one byte per element.
  const LayerGeometry geometry = geometry_of(keys, Operator::dropout);
  const double elements = as_double(geometry.elements);
  Layer layer = streaming(geometry, elements, 2.25, 2.25);
  layer.saved_activations = Bytes{elements};
  return layer;
}

Layer make_max_pool(const LayerKeys& keys) {
  const LayerGeometry geometry = geometry_of(keys, Operator::max_pool);
  const double output = as_double(geometry.elements);
  const double input = output * geometry.stride.area();
  Layer layer;
  layer.geometry = geometry;
  layer.forward_traffic = Bytes{kFloat * (input + output) + kIndex * output};
  layer.backward_traffic = Bytes{kFloat * (output + 2.0 * input) + kIndex * output};
  layer.saved_activations = Bytes{(kFloat + kIndex) * output};
  return layer;
}

Layer make_average_pool(const LayerKeys& keys) {
  const LayerGeometry geometry = geometry_of(keys, Operator::average_pool);
  const double output = as_double(geometry.elements);
  const double input = output * geometry.stride.area();
  Layer layer = streaming(geometry, input + output, 1.0, 1.0);
  keep_for_backward(layer, *keys.saves, kFloat * input, kFloat * output);
  return layer;
}

Layer make_upsample(const LayerKeys& keys) {
  const LayerGeometry geometry = geometry_of(keys, Operator::upsample);
  const double output = as_double(geometry.elements);
  const double input = output / geometry.stride.area();
  Layer layer = streaming(geometry, input + output, 1.0, 1.0);
  keep_for_backward(layer, *keys.saves, kFloat * input, kFloat * output);
  return layer;
}

Layer make_concat(const LayerKeys& keys) {
  Layer layer = streaming(geometry_of(keys, Operator::concat), 2.0, 2.0, *keys.saves);
  layer.backward_kernels = 2;
  return layer;
}

Layer make_elementwise(const LayerKeys& keys) {
  const LayerGeometry geometry = geometry_of(keys, Operator::elementwise);
  Layer layer = streaming(geometry, keys.forward_crossings, keys.backward_crossings, *keys.saves);
  layer.forward_kernels = keys.forward_kernels;
  layer.backward_kernels = keys.backward_kernels;
  return layer;
}

// Values per sample become values per step, so they are counted with the table. The gradient of a
// sample is read once more, by the kernel that sums over samples.
void look_up_once(Layer& layer) {
  layer.geometry.broadcast = true;
  const Bytes gathered{kFloat * as_double(layer.geometry.elements)};
  layer.weight_traffic += 0.5 * (layer.forward_traffic + layer.backward_traffic + gathered);
  layer.forward_traffic = Bytes{};
  layer.backward_traffic = gathered;
  layer.saved_activations = Bytes{};
  layer.backward_kernels += 1;
}

Layer make_embedding(const LayerKeys& keys) {
  const auto [entries, features, lookups] = std::tuple(keys.entries, keys.out, keys.rows);
  const double rows = as_double(lookups);
  const double gathered = rows * as_double(features);
  Layer layer;
  layer.geometry = {.op = Operator::embedding,
                    .out = features,
                    .rows = lookups,
                    .elements = lookups * features,
                    .entries = entries};
  layer.kind = LayerKind::embedding;
  layer.forward_traffic = Bytes{2.0 * kFloat * gathered + kIndex * rows};
  layer.backward_traffic = Bytes{3.0 * kFloat * gathered + kIndex * rows};
  // Only the backward pass zeroes the gradient of the whole table, so half is counted per
  // direction.
  layer.weight_traffic = Bytes{0.5 * kFloat * as_double(entries) * as_double(features)};
  layer.saved_activations = Bytes{kIndex * rows};
  layer.parameter_tensors = {entries * features};
  layer.backward_kernels = 2;
  if (keys.broadcast) look_up_once(layer);
  return layer;
}

}  // namespace mimus::workloads
