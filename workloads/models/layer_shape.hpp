// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/value_domain.hpp"
#include "workloads/models/model.hpp"

namespace mimus::workloads {

/// Which tensors the backward pass keeps because of a layer.
enum class Saves { none, input, output, both };

/// An earlier layer that a layer reads, as it is written.
struct NamedLayer {
  std::string name;
  SourceLocation where;
  std::string path;
};

/// A layer as a model file says it: its operator reads some of these keys.
struct LayerKeys : LayerGeometry {
  std::optional<double> stated_elements;  ///< in place of channels and size
  std::int64_t columns = 0, inner = 0;    ///< of a product
  std::int64_t count = 0;                 ///< products per sample
  std::int64_t fields = 0, reads = 0, writes = 0, planes = 0, sums = 0;  ///< of a GridLayer
  std::int64_t points = 0;     ///< of the model's grid along each side
  std::optional<Saves> saves;  ///< nothing: by the function
  int forward_kernels = 1;
  int backward_kernels = 1;
  std::optional<std::vector<NamedLayer>> inputs;  ///< nothing: the layer before
  std::optional<std::string> name;                ///< nothing: that of the operator
};

/// Makers of one layer each: they fill in what its shape costs.
/// Accounting rules are those of an eager framework with one kernel per operator, in fp32:
/// traffic counts every tensor once per kernel that reads or writes it, and a saved tensor is
/// counted by the first layer that keeps it (an activation keeps its output, which is then the
/// input of the next convolution).
Layer make_convolution(const LayerKeys& keys);
Layer make_linear(const LayerKeys& keys);
Layer make_batched_matmul(const LayerKeys& keys);
Layer make_gru(const LayerKeys& keys);
Layer make_embedding(const LayerKeys& keys);
Layer make_batch_norm(const LayerKeys& keys);
Layer make_layer_norm(const LayerKeys& keys);
Layer make_activation(const LayerKeys& keys);
Layer make_residual_add(const LayerKeys& keys);
Layer make_softmax(const LayerKeys& keys);
Layer make_dropout(const LayerKeys& keys);
Layer make_max_pool(const LayerKeys& keys);
Layer make_average_pool(const LayerKeys& keys);
Layer make_upsample(const LayerKeys& keys);
Layer make_concat(const LayerKeys& keys);
Layer make_elementwise(const LayerKeys& keys);
/// On a grid with so many points along each side.
Layer make_grid_layer(const GridLayer& grid, std::int64_t points);

inline constexpr double kFloat = 4.0;  ///< bytes of an fp32 element
inline constexpr double kIndex = 8.0;  ///< bytes of an int64 index

[[nodiscard]] inline double as_double(std::int64_t value) {
  return static_cast<double>(value);
}

/// Fills in which tensors are kept for the backward pass, and their bytes.
void keep_for_backward(Layer& layer, Saves saves, double input_bytes, double output_bytes);

/// Weights cross the memory once forward (read) and twice backward (read, gradient written); the
/// footprint keeps the mean per direction, so that a step's sum is right.
[[nodiscard]] inline Bytes dense_weight_traffic(double elements) {
  return Bytes{1.5 * kFloat * elements};
}

}  // namespace mimus::workloads

namespace mimus {

/// `7` (square) or `41x11` (height × width).
template <>
struct Domain<workloads::Extent> {
  [[nodiscard]] workloads::Extent read(const ConfigNode& node, const std::string& path) const;
  [[nodiscard]] std::string text(const workloads::Extent& extent) const;
  [[nodiscard]] ValueSpec spec() const {
    return {.type = ValueSpec::Type::extent,
            .beyond = "a side such as 7, or height x width such as 41x11"};
  }
};

}  // namespace mimus
