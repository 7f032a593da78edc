// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/launch/launch.hpp"
#include "kernels/layers/layer_graph.hpp"
#include "workloads/models/model.hpp"

namespace mimus::kernels {

/// Bytes of an element in the tensors of a layer.
struct LayerWidths {
  std::int64_t arriving = kFloat;  ///< in what it reads; of several tensors the narrowest
  std::int64_t own = kFloat;       ///< in what the layer's kernels read and write
  /// Whether a kernel turns what arrives into what the layer takes, and one its gradient back. The
  /// kernel of a residual addition takes either.
  bool casts = false;
};

/// Of every layer, as PyTorch's autocast has it for 16 bits: products, convolutions and recurrent
/// layers take and give 16 bits; softmax, layer norm and embeddings fp32; other layers keep what
/// arrives, and where tensors meet the widest. The softmax of the loss stays at what arrives, and
/// what comes after it is fp32. With `arithmetic` of 32 bits everything is fp32.
[[nodiscard]] std::vector<LayerWidths> layer_widths(const workloads::Model& model,
                                                    Arithmetic arithmetic);

/// Whether the layer is the softmax of the loss: nothing but single kernels follows.
[[nodiscard]] bool is_loss(const workloads::Model& model, std::size_t layer);

/// Whether the layer is linear and takes the input of a linear layer before it, as the key that of
/// the query.
[[nodiscard]] bool shares_input(const workloads::Model& model, const LayerGraph& graph,
                                std::size_t layer);

}  // namespace mimus::kernels
