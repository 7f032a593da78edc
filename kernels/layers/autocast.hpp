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
  std::int64_t arriving = kFloat;  ///< in its inputs; of several tensors the narrowest
  std::int64_t own = kFloat;       ///< in what the layer's kernels read and write
  /// Whether a kernel casts the input to the layer's width, and one casts its gradient back. The
  /// kernel of a residual addition accepts both widths.
  bool casts = false;
};

/// For every layer, as in PyTorch's autocast for 16 bits: products, convolutions and recurrent
/// layers read and write 16 bits; softmax, layer norm and embeddings fp32; other layers keep the
/// width of their input, and if inputs differ, the widest. The softmax of the loss keeps the width
/// of its input, and what follows it is fp32. With `arithmetic` of 32 bits everything is fp32.
[[nodiscard]] std::vector<LayerWidths> layer_widths(const workloads::Model& model,
                                                    Arithmetic arithmetic);

/// Whether the layer is the softmax of the loss: only single kernels follow it.
[[nodiscard]] bool is_loss(const workloads::Model& model, std::size_t layer);

/// Whether the layer is linear and has the same input as an earlier linear layer, as the key's has
/// the query's.
[[nodiscard]] bool shares_input(const workloads::Model& model, const LayerGraph& graph,
                                std::size_t layer);

}  // namespace mimus::kernels
