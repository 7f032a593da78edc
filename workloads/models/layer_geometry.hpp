// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "workloads/models/grid.hpp"

namespace mimus::workloads {

/// Height × width of an image, kernel or stride.
struct Extent {
  std::int64_t height = 1;
  std::int64_t width = 1;
  [[nodiscard]] double area() const {
    return static_cast<double>(height) * static_cast<double>(width);
  }
};

/// The `op:` of a model file.
enum class Operator {
  convolution,
  linear,
  batched_matmul,
  gru,
  embedding,
  batch_norm,
  layer_norm,
  activation,
  residual_add,
  softmax,
  dropout,
  max_pool,
  average_pool,
  upsample,
  concat,
  elementwise,
};

/// Function of an activation layer.
enum class Activation { relu, leaky_relu, hardtanh, sigmoid, gelu };

/// A layer's shape as its file states it, per sample. Members that the operator does not have keep
/// their defaults. Devices that run kernels at full size need it; what a layer costs is in Layer,
/// and products are in Layer::gemm.
struct LayerGeometry {
  Operator op = Operator::elementwise;
  std::int64_t in = 0;    ///< channels or features of the input
  std::int64_t out = 0;   ///< channels or features of the output; 0 where the file gives `elements`
  Extent kernel{};        ///< of convolution; of max pooling, its window
  Extent stride{};        ///< of convolution and pooling; of upsampling, its factor
  Extent size{};          ///< of the output image
  std::int64_t rows = 1;  ///< of a sample, e.g. its tokens
  std::int64_t elements = 0;  ///< of the output
  std::int64_t entries = 0;   ///< of an embedding's table
  std::int64_t hidden = 0;    ///< features of a recurrent state
  std::int64_t steps = 0;     ///< in time
  std::int64_t directions = 1;
  double reserve = 0.0;       ///< state kept per step and direction, in units of `hidden`
  double half_reserve = 0.0;  ///< likewise, where elements have 16 bits
  bool bias = false;
  bool tied = false;  ///< shares the weights of an earlier embedding
  bool input_gradient = true;
  Activation function = Activation::relu;
  bool in_place = true;  ///< of an activation behind a normalisation: overwrites its input
  double forward_crossings = 0.0;  ///< of `elements`, of the operator `elementwise`
  double backward_crossings = 0.0;
  bool broadcast = false;  ///< of an embedding: looked up once for all samples
  bool strided = false;    ///< copies that rearrange their tensor, element by element
  bool masked = false;     ///< the last kernel adds an fp32 number per column of the next softmax
  bool channels_first = false;  ///< of a batch norm: how its images lie in memory
  bool saves_input = false;     ///< kept for the backward pass because of this layer
  bool saves_output = false;
  GridLayer grid{};  ///< what a layer on a grid is; `elements` and crossings follow from it
};

/// Whether a tied dense layer may share the weights of `table`.
[[nodiscard]] inline bool is_table_of(const LayerGeometry& table, const LayerGeometry& dense) {
  return table.op == Operator::embedding && table.entries == dense.out && table.out == dense.in;
}

}  // namespace mimus::workloads
