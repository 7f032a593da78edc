// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/layers/layer_operands.hpp"

#include <algorithm>
#include <utility>

namespace mimus::kernels {

using workloads::Operator;

LayerOperands::LayerOperands(const workloads::Model& model, const LayerGraph& graph,
                             const std::vector<LayerWidths>& widths,
                             const std::vector<LayerSizes>& sizes)
    : graph_(graph), sizes_(sizes), first_(sizes.size()), second_(sizes.size()) {
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const LayerGraph::Layers& sources = graph.sources(i);
    const Operator op = model.layers[i].geometry.op;
    first_[i] = graph.source(i);
    const bool computes = op == Operator::residual_add || op == Operator::elementwise;
    if (sources.size() < 2 || !computes) continue;
    second_[i] = sources[1];
    const auto width = [&](std::size_t layer) {
      return layer == LayerGraph::kModelInput ? kFloat : widths[layer].own;
    };
    if (width(*second_[i]) < width(first_[i])) std::swap(first_[i], *second_[i]);
  }
}

std::int64_t LayerOperands::second_bytes(std::size_t i) const {
  return std::max({sizes_[i].input, sizes_[i].output, sizes_[i].widest});
}

std::int64_t LayerOperands::room(std::size_t layer) const {
  std::int64_t room = layer == LayerGraph::kModelInput ? 0 : sizes_[layer].output;
  for (const std::size_t reader : graph_.readers(layer)) {
    if (first_[reader] == layer) room = std::max(room, sizes_[reader].arriving);
    if (second_[reader] == layer) room = std::max(room, second_bytes(reader));
  }
  return room;
}

}  // namespace mimus::kernels
