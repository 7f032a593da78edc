// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/layers/layer_graph.hpp"

#include <algorithm>

namespace mimus::kernels {

LayerGraph::LayerGraph(const workloads::Model& model)
    : sources_(model.layers.size()), readers_(model.layers.size()) {
  for (std::size_t i = 0; i < model.layers.size(); ++i) {
    if (model.layers[i].geometry.op == workloads::Operator::embedding) continue;
    for (const std::size_t back : model.layers[i].inputs) {
      sources_[i].push_back(back <= i ? i - back : kModelInput);
    }
    if (sources_[i].empty()) sources_[i].push_back(kModelInput);
    for (const std::size_t source : sources_[i]) {
      Layers& readers = source == kModelInput ? input_readers_ : readers_[source];
      if (readers.empty() || readers.back() != i) readers.push_back(i);
    }
  }
}

std::optional<std::size_t> LayerGraph::next_reader(std::size_t layer, std::size_t reader) const {
  const Layers& all = readers(layer);
  const auto next = std::upper_bound(all.begin(), all.end(), reader);
  return next == all.end() ? std::nullopt : std::optional(*next);
}

std::size_t LayerGraph::branching(std::size_t layer) const {
  while (readers(layer).size() == 1) layer = readers(layer).front();
  return layer;
}

}  // namespace mimus::kernels
