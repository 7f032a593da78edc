// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/layers/autocast.hpp"
#include "workloads/models/model.hpp"

namespace mimus::kernels {

/// Bytes of a layer's tensors for one micro-batch.
struct LayerSizes {
  std::int64_t arriving = 0;  ///< the input before it is cast
  std::int64_t input = 0;     ///< of a product without weights: its left operand
  std::int64_t second = 0;    ///< its right operand
  std::int64_t output = 0;
  /// Tensors that only the backward pass reads: dropout's mask, max pooling's positions, the
  /// statistics of a normalisation, the reserve of recurrent steps.
  std::int64_t kept = 0;
  std::int64_t indices = 0;           ///< places of an embedding
  std::int64_t scratch = 0;           ///< work space beside input and output, forward
  std::int64_t gradient_scratch = 0;  ///< backward
  std::int64_t widest = 0;  ///< largest tensor of a kernel that covers more than the output
};

[[nodiscard]] LayerSizes layer_sizes(const workloads::Layer& layer, std::int64_t batch,
                                     const LayerWidths& widths);

/// Of every layer.
[[nodiscard]] std::vector<LayerSizes> layer_sizes(const workloads::Model& model, std::int64_t batch,
                                                  const std::vector<LayerWidths>& widths);

/// Rows that an embedding looks up for a micro-batch.
[[nodiscard]] std::int64_t lookups(const workloads::LayerGeometry& geometry, std::int64_t batch);

/// For one recurrent step in one direction: the reserve, and a slice of the gates' products.
[[nodiscard]] std::int64_t reserve_stride(const workloads::LayerGeometry& geometry,
                                          std::int64_t batch, std::int64_t element);
[[nodiscard]] std::int64_t gate_stride(const workloads::LayerGeometry& geometry, std::int64_t batch,
                                       std::int64_t element);

}  // namespace mimus::kernels
