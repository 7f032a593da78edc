// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Layers that are bound by memory: they differ in how often they cross their tensors.
#include "workloads/layer_shape.hpp"

namespace mimus::workloads {
namespace {

/// Elements per sample: `channels` × `size`, or `elements` for tensors that are not images.
double read_elements(YamlReader& reader) {
  if (reader.has("elements")) {
    return reader.get<double>("elements", {.min = 1.0, .max = 1e12});
  }
  const double channels = static_cast<double>(read_dimension(reader, "channels"));
  return channels * read_extent_or(reader, "size", {1, 1}).area();
}

/// A kernel that crosses its tensor `forward` times (reads plus writes) and `backward` times.
Layer streaming(double elements, double forward, double backward) {
  Layer layer;
  layer.kind = LayerKind::elementwise;
  layer.forward_traffic = Bytes{kFloat * forward * elements};
  layer.backward_traffic = Bytes{kFloat * backward * elements};
  return layer;
}

/// A streaming layer with a scale and a shift per channel; it keeps its input.
Layer normalisation(YamlReader& reader, std::int64_t channels, double elements, double forward,
                    double backward) {
  Layer layer = streaming(elements, forward, backward);
  layer.kind = LayerKind::normalisation;
  layer.parameter_tensors = {channels, channels};
  layer.saved_activations = read_saved(reader, "input", kFloat * elements, kFloat * elements);
  return layer;
}

}  // namespace

Layer read_batch_norm(YamlReader& reader) {
  // Statistics run over the batch, so each direction needs two passes: x, x → y and
  // (x, dy), (x, dy) → dx. The second forward launch counts the batches.
  const auto channels = read_dimension(reader, "channels");
  const double area = read_extent_or(reader, "size", {1, 1}).area();
  Layer layer = normalisation(reader, channels, static_cast<double>(channels) * area, 3.0, 5.0);
  layer.forward_kernels = 2;
  return layer;
}

Layer read_layer_norm(YamlReader& reader) {
  // A row fits on chip: x → y and (x, dy) → dx. The second backward launch sums the parameter
  // gradients.
  const auto features = read_dimension(reader, "features");
  const auto rows = read_dimension_or(reader, "rows", 1);
  Layer layer = normalisation(reader, features, static_cast<double>(features * rows), 2.0, 3.0);
  layer.backward_kernels = 2;
  return layer;
}

Layer read_activation(YamlReader& reader) {
  const auto function =
      reader.choice("function", {"relu", "leaky_relu", "hardtanh", "sigmoid", "gelu"});
  const double elements = read_elements(reader);
  Layer layer = streaming(elements, 2.0, 3.0);
  // GELU's derivative needs its input; the others work in place and keep their output.
  const char* saved = function == "gelu" ? "input" : "output";
  layer.saved_activations = read_saved(reader, saved, kFloat * elements, kFloat * elements);
  return layer;
}

Layer read_residual_add(YamlReader& reader) {
  // Backward, the gradients of both branches are added up.
  const double elements = read_elements(reader);
  Layer layer = streaming(elements, 3.0, 3.0);
  layer.saved_activations = read_saved(reader, "none", kFloat * elements, kFloat * elements);
  return layer;
}

Layer read_softmax(YamlReader& reader) {
  const double elements = read_elements(reader);
  Layer layer = streaming(elements, 2.0, 3.0);
  layer.saved_activations = read_saved(reader, "output", kFloat * elements, kFloat * elements);
  return layer;
}

Layer read_dropout(YamlReader& reader) {
  // One fused kernel each way; the mask takes one byte per element.
  const double elements = read_elements(reader);
  Layer layer = streaming(elements, 2.25, 2.25);
  layer.saved_activations = Bytes{elements};
  return layer;
}

Layer read_max_pool(YamlReader& reader) {
  const double output = read_elements(reader);
  const double input = output * read_extent(reader, "stride").area();
  Layer layer;
  layer.forward_traffic = Bytes{kFloat * (input + output) + kIndex * output};
  layer.backward_traffic = Bytes{kFloat * (output + 2.0 * input) + kIndex * output};
  layer.saved_activations = Bytes{(kFloat + kIndex) * output};
  return layer;
}

Layer read_average_pool(YamlReader& reader) {
  const double output = read_elements(reader);
  const double input = output * read_extent(reader, "stride").area();
  Layer layer = streaming(input + output, 1.0, 1.0);
  layer.saved_activations = read_saved(reader, "none", kFloat * input, kFloat * output);
  return layer;
}

Layer read_upsample(YamlReader& reader) {
  const double output = read_elements(reader);
  const double input = output / read_extent(reader, "factor").area();
  Layer layer = streaming(input + output, 1.0, 1.0);
  layer.saved_activations = read_saved(reader, "none", kFloat * input, kFloat * output);
  return layer;
}

Layer read_concat(YamlReader& reader) {
  const double elements = read_elements(reader);
  Layer layer = streaming(elements, 2.0, 2.0);
  layer.saved_activations = read_saved(reader, "output", kFloat * elements, kFloat * elements);
  layer.backward_kernels = 2;
  return layer;
}

Layer read_elementwise(YamlReader& reader) {
  const double elements = read_elements(reader);
  const double forward = reader.get<double>("forward", kNotNegative);
  const double backward = reader.get<double>("backward", kNotNegative);
  Layer layer = streaming(elements, forward, backward);
  layer.saved_activations = read_saved(reader, "none", kFloat * elements, kFloat * elements);
  layer.forward_kernels =
      static_cast<int>(reader.get_or<std::int64_t>("forward_kernels", 1, {.min = 0.0, .max = 1e4}));
  layer.backward_kernels = static_cast<int>(
      reader.get_or<std::int64_t>("backward_kernels", 1, {.min = 0.0, .max = 1e4}));
  return layer;
}

Layer read_embedding(YamlReader& reader) {
  const auto entries = reader.get<std::int64_t>("entries", {.min = 1.0, .max = 1e9});
  const auto features = read_dimension(reader, "features");
  const double rows = static_cast<double>(read_dimension_or(reader, "rows", 1));
  const double gathered = rows * static_cast<double>(features);
  Layer layer;
  layer.kind = LayerKind::embedding;
  layer.forward_traffic = Bytes{2.0 * kFloat * gathered + kIndex * rows};
  layer.backward_traffic = Bytes{3.0 * kFloat * gathered + kIndex * rows};
  // Dense gradients are zeroed over the whole table, backward only: half per direction.
  layer.weight_traffic =
      Bytes{0.5 * kFloat * static_cast<double>(entries) * static_cast<double>(features)};
  layer.saved_activations = Bytes{kIndex * rows};
  layer.parameter_tensors = {entries * features};
  layer.backward_kernels = 2;
  return layer;
}

}  // namespace mimus::workloads
