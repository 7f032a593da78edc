// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "base/yaml_reader.hpp"
#include "workloads/models/model.hpp"

namespace mimus::workloads {

/// Readers of one layer each: they take the shape from the mapping and fill in what it costs.
/// Accounting rules are those of an eager framework with one kernel per operator, in fp32:
/// traffic counts every tensor once per kernel that reads or writes it, and a saved tensor is
/// counted by the first layer that keeps it (an activation keeps its output, which is then the
/// input of the next convolution).
Layer read_convolution(YamlReader& reader);
Layer read_linear(YamlReader& reader);
Layer read_batched_matmul(YamlReader& reader);
Layer read_gru(YamlReader& reader);
Layer read_embedding(YamlReader& reader);
Layer read_batch_norm(YamlReader& reader);
Layer read_layer_norm(YamlReader& reader);
Layer read_activation(YamlReader& reader);
Layer read_residual_add(YamlReader& reader);
Layer read_softmax(YamlReader& reader);
Layer read_dropout(YamlReader& reader);
Layer read_max_pool(YamlReader& reader);
Layer read_average_pool(YamlReader& reader);
Layer read_upsample(YamlReader& reader);
Layer read_concat(YamlReader& reader);
Layer read_elementwise(YamlReader& reader);

inline constexpr double kFloat = 4.0;  ///< bytes of an fp32 element
inline constexpr double kIndex = 8.0;  ///< bytes of an int64 index

[[nodiscard]] inline double as_double(std::int64_t value) {
  return static_cast<double>(value);
}

/// A dimension: an integer from 1 to one million.
[[nodiscard]] std::int64_t read_dimension(YamlReader& reader, std::string_view key);
[[nodiscard]] std::int64_t read_dimension_or(YamlReader& reader, std::string_view key,
                                             std::int64_t fallback);
/// `7` (square) or `41x11` (height × width).
[[nodiscard]] Extent read_extent(YamlReader& reader, std::string_view key);
[[nodiscard]] Extent read_extent_or(YamlReader& reader, std::string_view key, Extent fallback);

/// Fills in what is kept for the backward pass, from `saves: none | input | output | both` (default
/// given): which tensors, and their bytes.
void read_saved(YamlReader& reader, Layer& layer, const char* fallback, double input_bytes,
                double output_bytes);

/// Weights cross the memory once forward (read) and twice backward (read, gradient written); the
/// footprint keeps the mean per direction, so that a step's sum is right.
[[nodiscard]] inline Bytes dense_weight_traffic(double elements) {
  return Bytes{1.5 * kFloat * elements};
}

}  // namespace mimus::workloads
