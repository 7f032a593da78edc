// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>

#include "kernels/pytorch/autograd_step.hpp"

namespace mimus::kernels {

using workloads::Operator;

bool AutogradStep::has_output(std::size_t i) const {
  return nodes_[i].output != kNone && log_.is_alive(nodes_[i].output);
}

AutogradStep::Tensor AutogradStep::output_of(std::size_t i) const {
  return i == kInput ? kNone : nodes_[i].output;
}

std::int64_t AutogradStep::width_of(std::size_t i) const {
  return i == kInput ? kFloat : nodes_[i].width;
}

/// Of a convolution whose stride does not divide its input, the input is what the layer before
/// gave.
std::int64_t AutogradStep::input_elements(std::size_t i, std::size_t source) const {
  const bool image = geometry(i).op == Operator::convolution && source != kInput;
  return image ? nodes_[source].elements : sizes_[i].input / layout_.widths[i].own;
}

/// The variable that names a layer's output is gone, or names another tensor.
void AutogradStep::release(std::size_t i) {
  if (i == kInput || nodes_[i].released) return;
  nodes_[i].released = true;
  log_.drop(nodes_[i].output);
}

/// The layer before, or, as where a branch begins, the latest that gives as many elements.
std::size_t AutogradStep::source_of(std::size_t i, std::int64_t elements) const {
  if (flow_ == kInput || nodes_[flow_].elements == elements) return flow_;
  for (std::size_t j = i; j-- > 0;) {
    if (nodes_[j].elements == elements && has_output(j)) return j;
  }
  return flow_;
}

/// Layers whose output no other has taken yet, the latest first.
AutogradStep::Layers AutogradStep::untaken(std::size_t before) const {
  Layers layers;
  for (std::size_t j = before; j-- > 0;) {
    if (!nodes_[j].consumed && nodes_[j].output != kNone) layers.push_back(j);
  }
  return layers;
}

AutogradStep::Layers AutogradStep::two_of_size(std::size_t i, std::int64_t elements) const {
  Layers two;
  for (const std::size_t j : untaken(i)) {
    if (nodes_[j].elements == elements && two.size() < 2) two.push_back(j);
  }
  if (two.empty()) two.push_back(flow_);
  if (two.size() == 2) return two;
  const auto other = branch(i, two);
  two.push_back(other ? *other : two.front());
  return two;
}

/// The other summand of a residual addition: what the addition before it gave, or, in the first
/// block, the first tensor of that size that layers hand to the next.
std::optional<std::size_t> AutogradStep::branch(std::size_t i, const Layers& but) const {
  const auto fits = [&](std::size_t j, bool any_width) {
    return nodes_[j].elements == nodes_[but.front()].elements && has_output(j) &&
           std::find(but.begin(), but.end(), j) == but.end() &&
           (any_width || nodes_[j].width == layout_.widths[i].own);
  };
  for (std::size_t j = i; j-- > 0;) {
    if (geometry(j).op != Operator::residual_add || !fits(j, false)) continue;
    const bool activated = geometry(j + 1).op == Operator::activation && fits(j + 1, false);
    return activated ? j + 1 : j;
  }
  for (std::size_t j = 0; j < i; ++j) {
    const Operator op = geometry(j).op;
    const bool hands_on = op == Operator::activation || op == Operator::dropout ||
                          op == Operator::max_pool || op == Operator::layer_norm;
    if (hands_on && fits(j, false)) return j;
  }
  for (std::size_t j = i; j-- > 0;) {
    if (fits(j, true)) return j;
  }
  return std::nullopt;
}

/// Untaken outputs that make up `elements` together; else the layer before and one that has the
/// rest.
AutogradStep::Layers AutogradStep::parts_of(std::size_t i, std::int64_t elements) const {
  Layers candidates = untaken(i);
  constexpr std::size_t kMost = 12;  // of a search that tries all sums
  candidates.resize(std::min(candidates.size(), kMost));
  Layers chosen;
  const std::function<bool(std::size_t, std::int64_t)> choose = [&](std::size_t k,
                                                                    std::int64_t rest) {
    if (rest == 0) return true;
    if (k == candidates.size()) return false;
    if (nodes_[candidates[k]].elements <= rest) {
      chosen.push_back(candidates[k]);
      if (choose(k + 1, rest - nodes_[candidates[k]].elements)) return true;
      chosen.pop_back();
    }
    return choose(k + 1, rest);
  };
  if (choose(0, elements)) return {chosen.rbegin(), chosen.rend()};
  if (flow_ == kInput) return {flow_};
  const std::size_t other = source_of(i, elements - nodes_[flow_].elements);
  return other == flow_ ? Layers{flow_} : Layers{flow_, other};
}

}  // namespace mimus::kernels
