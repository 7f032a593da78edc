// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/layers/autocast.hpp"

#include <algorithm>
#include <utility>

namespace mimus::kernels {
namespace {

using workloads::Operator;

/// Widths of layers in the model's order, derived from the widths of the layers that each one
/// reads.
class Widths {
 public:
  explicit Widths(const workloads::Model& model) : model_(model), graph_(model) {}

  std::vector<LayerWidths> take() {
    for (std::size_t i = 0; i < model_.layers.size(); ++i) all_.push_back(widths_of(i));
    return std::move(all_);
  }

 private:
  LayerWidths widths_of(std::size_t i) {
    const Operator op = model_.layers[i].geometry.op;
    if (op == Operator::embedding) return {};
    const bool loss = is_loss(model_, i);
    LayerWidths widths = of_inputs(i);
    if (is_product(op)) {
      widths.own = kHalfFloat;
    } else if (op == Operator::layer_norm || op == Operator::softmax) {
      if (!loss) widths.own = kFloat;
    } else if (loss_) {
      widths.own = kFloat;
    }
    loss_ = loss_ || loss;
    widths.casts = widths.own != widths.arriving && op != Operator::residual_add;
    return widths;
  }

  /// If several tensors meet, the result is as wide as the widest. A product's right operand is
  /// assumed to have 16 bits, and a concatenation's kernel to accept any width.
  [[nodiscard]] LayerWidths of_inputs(std::size_t i) const {
    const LayerGraph::Layers& sources = graph_.sources(i);
    LayerWidths widths{.arriving = width_of(sources.front()), .own = width_of(sources.front())};
    const Operator op = model_.layers[i].geometry.op;
    if (is_product(op)) return widths;
    for (const std::size_t source : sources) {
      widths.arriving = std::min(widths.arriving, width_of(source));
      widths.own = std::max(widths.own, width_of(source));
    }
    if (op == Operator::concat) widths.arriving = widths.own;
    return widths;
  }

  [[nodiscard]] std::int64_t width_of(std::size_t layer) const {
    return layer == LayerGraph::kModelInput ? kFloat : all_[layer].own;
  }

  static bool is_product(Operator op) {
    return op == Operator::convolution || op == Operator::linear ||
           op == Operator::batched_matmul || op == Operator::gru;
  }

  const workloads::Model& model_;
  LayerGraph graph_;
  std::vector<LayerWidths> all_;
  bool loss_ = false;  ///< whether the softmax of the loss has been passed
};

}  // namespace

std::vector<LayerWidths> layer_widths(const workloads::Model& model, Arithmetic arithmetic) {
  if (element_bytes(arithmetic) == kFloat) return std::vector<LayerWidths>(model.layers.size());
  return Widths(model).take();
}

bool is_loss(const workloads::Model& model, std::size_t layer) {
  const auto first = model.layers.begin() + static_cast<std::ptrdiff_t>(layer);
  return first->geometry.op == Operator::softmax &&
         std::all_of(first + 1, model.layers.end(), [](const workloads::Layer& after) {
           return after.geometry.op == Operator::elementwise;
         });
}

bool shares_input(const workloads::Model& model, const LayerGraph& graph, std::size_t layer) {
  const auto is_linear = [&](std::size_t i) {
    return model.layers[i].geometry.op == Operator::linear;
  };
  const LayerGraph::Layers& readers = graph.readers(graph.source(layer));
  const auto here = std::find(readers.begin(), readers.end(), layer);
  return is_linear(layer) && std::any_of(readers.begin(), here, is_linear);
}

}  // namespace mimus::kernels
