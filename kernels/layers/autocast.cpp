// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/layers/autocast.hpp"

#include <algorithm>

namespace mimus::kernels {
namespace {

using workloads::Operator;

/// What arrives at each layer, from the first on.
class Widths {
 public:
  LayerWidths pass(const workloads::Layer& layer, bool loss) {
    LayerWidths widths{.arriving = now_, .own = now_};
    switch (layer.geometry.op) {
      case Operator::convolution:
      case Operator::linear:
      case Operator::batched_matmul:
      case Operator::gru:
        widths.arriving = shares_input(layer) ? shared_ : now_;
        widths.own = kHalfFloat;
        shared_ = widths.arriving;
        break;
      case Operator::embedding:
        widths = {};
        wide_sums_ = true;
        break;
      case Operator::layer_norm:
        wide_sums_ = true;
        [[fallthrough]];
      case Operator::softmax:
        if (!loss) widths.own = kFloat;
        loss_ = loss;
        break;
      case Operator::residual_add:
        if (wide_sums_) widths.own = kFloat;
        break;
      default:
        if (loss_) widths.own = kFloat;
        break;
    }
    widths.casts = widths.own != widths.arriving && layer.geometry.op != Operator::residual_add;
    now_ = widths.own;
    return widths;
  }

 private:
  std::int64_t now_ = kFloat;
  std::int64_t shared_ = kFloat;  ///< what arrived at the last product
  bool wide_sums_ = false;
  bool loss_ = false;  ///< its softmax has been passed
};

}  // namespace

std::vector<LayerWidths> layer_widths(const workloads::Model& model, Arithmetic arithmetic) {
  std::vector<LayerWidths> all(model.layers.size());
  if (element_bytes(arithmetic) == kFloat) return all;
  Widths widths;
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = widths.pass(model.layers[i], is_loss(model, i));
  return all;
}

bool is_loss(const workloads::Model& model, std::size_t layer) {
  const auto first = model.layers.begin() + static_cast<std::ptrdiff_t>(layer);
  return first->geometry.op == Operator::softmax &&
         std::all_of(first + 1, model.layers.end(), [](const workloads::Layer& after) {
           return after.geometry.op == Operator::elementwise;
         });
}

bool shares_input(const workloads::Layer& layer) {
  return layer.geometry.op == Operator::linear && !layer.geometry.saves_input;
}

}  // namespace mimus::kernels
