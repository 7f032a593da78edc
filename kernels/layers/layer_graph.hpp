// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "workloads/models/model.hpp"

namespace mimus::kernels {

/// Which layers read the output of which other layers, as the model file states it
/// (workloads::Layer::inputs).
class LayerGraph {
 public:
  using Layers = std::vector<std::size_t>;
  /// In place of a layer: the model's input, or the data that the previous stage of a pipeline
  /// sends.
  static constexpr std::size_t kModelInput = static_cast<std::size_t>(-1);

  LayerGraph() = default;
  explicit LayerGraph(const workloads::Model& model);

  /// Layers whose outputs `layer` reads, in the file's order; none for an embedding.
  [[nodiscard]] const Layers& sources(std::size_t layer) const { return sources_[layer]; }
  /// The first of them.
  [[nodiscard]] std::size_t source(std::size_t layer) const {
    return sources_[layer].empty() ? kModelInput : sources_[layer].front();
  }
  /// Layers that read the output of `layer`, or kModelInput, ascending.
  [[nodiscard]] const Layers& readers(std::size_t layer) const {
    return layer == kModelInput ? input_readers_ : readers_[layer];
  }

  /// The next reader of `layer` after `reader`.
  [[nodiscard]] std::optional<std::size_t> next_reader(std::size_t layer, std::size_t reader) const;
  /// The first layer from `layer` on, along single readers, that has several readers or none.
  [[nodiscard]] std::size_t branching(std::size_t layer) const;

 private:
  std::vector<Layers> sources_, readers_;
  Layers input_readers_;
};

}  // namespace mimus::kernels
