// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Layers that are bound by memory: they differ in how often they cross their tensors.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "workloads/models/layer_shape.hpp"

namespace mimus::workloads {
namespace {

/// Output of a layer per sample: `channels` × `size`, or `elements` for tensors that are not
/// images.
LayerGeometry read_output(YamlReader& reader, Operator op) {
  LayerGeometry geometry{.op = op};
  if (reader.has("elements")) {
    const auto elements = reader.get<double>("elements", {.min = 1.0, .max = 1e12});
    geometry.elements = std::llround(elements);
    return geometry;
  }
  geometry.out = read_dimension(reader, "channels");
  geometry.size = read_extent_or(reader, "size", {1, 1});
  geometry.elements = geometry.out * geometry.size.height * geometry.size.width;
  return geometry;
}

/// A kernel that crosses tensors of `elements` `forward` times (reads plus writes) and `backward`
/// times.
Layer streaming(const LayerGeometry& geometry, double elements, double forward, double backward) {
  Layer layer;
  layer.kind = LayerKind::elementwise;
  layer.geometry = geometry;
  layer.forward_traffic = Bytes{kFloat * forward * elements};
  layer.backward_traffic = Bytes{kFloat * backward * elements};
  return layer;
}

/// The same for a layer whose input and output are equally large and which keeps `saved`.
Layer streaming(YamlReader& reader, const LayerGeometry& geometry, double forward, double backward,
                const char* saved) {
  const double elements = as_double(geometry.elements);
  Layer layer = streaming(geometry, elements, forward, backward);
  read_saved(reader, layer, saved, kFloat * elements, kFloat * elements);
  return layer;
}

/// A streaming layer with a scale and a shift per channel; it keeps its input.
Layer normalisation(YamlReader& reader, const LayerGeometry& geometry, double forward,
                    double backward) {
  Layer layer = streaming(reader, geometry, forward, backward, "input");
  layer.kind = LayerKind::normalisation;
  layer.parameter_tensors = {geometry.out, geometry.out};
  return layer;
}

Activation read_function(YamlReader& reader) {
  constexpr std::array<std::pair<const char*, Activation>, 5> kFunctions{
      {{"relu", Activation::relu},
       {"leaky_relu", Activation::leaky_relu},
       {"hardtanh", Activation::hardtanh},
       {"sigmoid", Activation::sigmoid},
       {"gelu", Activation::gelu}}};
  const auto name =
      reader.choice("function", {"relu", "leaky_relu", "hardtanh", "sigmoid", "gelu"});
  return std::find_if(kFunctions.begin(), kFunctions.end(),
                      [&](const auto& function) { return name == function.first; })
      ->second;
}

}  // namespace

Layer read_batch_norm(YamlReader& reader) {
  // Statistics run over the batch, so each direction needs two passes: x, x → y and
  // (x, dy), (x, dy) → dx. The second forward launch counts the batches.
  LayerGeometry geometry{.op = Operator::batch_norm};
  geometry.out = read_dimension(reader, "channels");
  geometry.size = read_extent_or(reader, "size", {1, 1});
  geometry.elements = geometry.out * geometry.size.height * geometry.size.width;
  geometry.channels_first = reader.get_or("channels_first", false);
  Layer layer = normalisation(reader, geometry, 3.0, 5.0);
  layer.forward_kernels = 2;
  return layer;
}

Layer read_layer_norm(YamlReader& reader) {
  // A row fits on chip: x → y and (x, dy) → dx. The second backward launch sums the parameter
  // gradients.
  LayerGeometry geometry{.op = Operator::layer_norm};
  geometry.out = read_dimension(reader, "features");
  geometry.rows = read_dimension_or(reader, "rows", 1);
  geometry.elements = geometry.out * geometry.rows;
  Layer layer = normalisation(reader, geometry, 2.0, 3.0);
  layer.backward_kernels = 2;
  return layer;
}

Layer read_activation(YamlReader& reader) {
  const Activation function = read_function(reader);
  LayerGeometry geometry = read_output(reader, Operator::activation);
  geometry.function = function;
  geometry.in_place = reader.get_or("in_place", true);
  // GELU's derivative needs its input; the others work in place and keep their output.
  return streaming(reader, geometry, 2.0, 3.0, function == Activation::gelu ? "input" : "output");
}

Layer read_residual_add(YamlReader& reader) {
  // Backward, the gradients of both branches are added up.
  return streaming(reader, read_output(reader, Operator::residual_add), 3.0, 3.0, "none");
}

Layer read_softmax(YamlReader& reader) {
  return streaming(reader, read_output(reader, Operator::softmax), 2.0, 3.0, "output");
}

Layer read_dropout(YamlReader& reader) {
  // One fused kernel each way; the mask takes one byte per element.
  const LayerGeometry geometry = read_output(reader, Operator::dropout);
  const double elements = as_double(geometry.elements);
  Layer layer = streaming(geometry, elements, 2.25, 2.25);
  layer.saved_activations = Bytes{elements};
  return layer;
}

Layer read_max_pool(YamlReader& reader) {
  LayerGeometry geometry = read_output(reader, Operator::max_pool);
  geometry.stride = read_extent(reader, "stride");
  geometry.kernel = read_extent_or(reader, "window", geometry.stride);
  const double output = as_double(geometry.elements);
  const double input = output * geometry.stride.area();
  Layer layer;
  layer.geometry = geometry;
  layer.forward_traffic = Bytes{kFloat * (input + output) + kIndex * output};
  layer.backward_traffic = Bytes{kFloat * (output + 2.0 * input) + kIndex * output};
  layer.saved_activations = Bytes{(kFloat + kIndex) * output};
  return layer;
}

Layer read_average_pool(YamlReader& reader) {
  LayerGeometry geometry = read_output(reader, Operator::average_pool);
  geometry.stride = read_extent(reader, "stride");
  const double output = as_double(geometry.elements);
  const double input = output * geometry.stride.area();
  Layer layer = streaming(geometry, input + output, 1.0, 1.0);
  read_saved(reader, layer, "none", kFloat * input, kFloat * output);
  return layer;
}

Layer read_upsample(YamlReader& reader) {
  LayerGeometry geometry = read_output(reader, Operator::upsample);
  geometry.stride = read_extent(reader, "factor");
  const double output = as_double(geometry.elements);
  const double input = output / geometry.stride.area();
  Layer layer = streaming(geometry, input + output, 1.0, 1.0);
  read_saved(reader, layer, "none", kFloat * input, kFloat * output);
  return layer;
}

Layer read_concat(YamlReader& reader) {
  Layer layer = streaming(reader, read_output(reader, Operator::concat), 2.0, 2.0, "output");
  layer.backward_kernels = 2;
  return layer;
}

Layer read_elementwise(YamlReader& reader) {
  LayerGeometry geometry = read_output(reader, Operator::elementwise);
  geometry.forward_crossings = reader.get<double>("forward", kNotNegative);
  geometry.backward_crossings = reader.get<double>("backward", kNotNegative);
  geometry.strided = reader.get_or("strided", false);
  geometry.masked = reader.get_or("masked", false);
  Layer layer =
      streaming(reader, geometry, geometry.forward_crossings, geometry.backward_crossings, "none");
  layer.forward_kernels =
      static_cast<int>(reader.get_or<std::int64_t>("forward_kernels", 1, {.min = 0.0, .max = 1e4}));
  layer.backward_kernels = static_cast<int>(
      reader.get_or<std::int64_t>("backward_kernels", 1, {.min = 0.0, .max = 1e4}));
  return layer;
}

// What was per sample is per step, so it counts with the table; a sample's gradient is read once
// more, by the kernel that sums over samples.
void look_up_once(Layer& layer) {
  layer.geometry.broadcast = true;
  const Bytes gathered{kFloat * as_double(layer.geometry.elements)};
  layer.weight_traffic += 0.5 * (layer.forward_traffic + layer.backward_traffic + gathered);
  layer.forward_traffic = Bytes{};
  layer.backward_traffic = gathered;
  layer.saved_activations = Bytes{};
  layer.backward_kernels += 1;
}

Layer read_embedding(YamlReader& reader) {
  const auto entries = reader.get<std::int64_t>("entries", {.min = 1.0, .max = 1e9});
  const auto features = read_dimension(reader, "features");
  const auto lookups = read_dimension_or(reader, "rows", 1);
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
  // Dense gradients are zeroed over the whole table, backward only: half per direction.
  layer.weight_traffic = Bytes{0.5 * kFloat * as_double(entries) * as_double(features)};
  layer.saved_activations = Bytes{kIndex * rows};
  layer.parameter_tensors = {entries * features};
  layer.backward_kernels = 2;
  if (reader.get_or("broadcast", false)) look_up_once(layer);
  return layer;
}

}  // namespace mimus::workloads
