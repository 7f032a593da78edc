// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/layers/returned_gradients.hpp"

namespace mimus::kernels {

using workloads::Operator;

std::optional<TensorRef> ReturnedGradients::beside(std::size_t i) const {
  const auto& geometry = model_.layers[i].geometry;
  const LayerGraph& graph = layout_.graph;
  const std::int64_t most = operands_.second_bytes(i);
  if (shares_input(model_, graph, i)) {
    return by(graph.next_reader(operands_.first(i), i), sizes_[i].arriving);
  }
  if (geometry.op == Operator::residual_add) {
    const LayerGraph::Layers& readers = graph.readers(graph.branching(i));
    return by(readers.empty() ? std::nullopt : std::optional(readers.back()), most);
  }
  const bool factor = geometry.saves_input && sizes_[i].input >= most;
  return factor ? std::optional(layout_.layers[i].input) : std::nullopt;
}

/// A sum passes on the gradient of its output; other layers return the gradient of their input.
std::optional<TensorRef> ReturnedGradients::by(std::optional<std::size_t> layer,
                                               std::int64_t bytes) const {
  if (!layer) return std::nullopt;
  const bool adds = model_.layers[*layer].geometry.op == Operator::residual_add;
  if ((adds ? sizes_[*layer].output : sizes_[*layer].arriving) < bytes) return std::nullopt;
  const LayerPlaces& places = layout_.layers[*layer];
  return adds ? places.output_gradient : places.input_gradient;
}

}  // namespace mimus::kernels
