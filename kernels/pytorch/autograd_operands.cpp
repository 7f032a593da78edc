// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/pytorch/autograd_step.hpp"

namespace mimus::kernels {

using workloads::Operator;

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

/// What the layer reads, through views of other layers' outputs.
AutogradStep::Layers AutogradStep::sources_of(std::size_t i) const {
  Layers sources;
  for (const std::size_t source : layout_.graph.sources(i)) {
    if (source != kInput && nodes_[source].view) {
      const Layers& viewed = nodes_[source].sources;
      sources.insert(sources.end(), viewed.begin(), viewed.end());
    } else {
      sources.push_back(source);
    }
  }
  return sources;
}

/// The layer that gives nothing but the right operand of this product. One that gives all operands
/// of attention gets its gradient from the product of the scores.
std::optional<std::size_t> AutogradStep::value_of(std::size_t i) const {
  const Layers& sources = layout_.graph.sources(i);
  if (sources.size() < 2 || sources[1] == kInput || nodes_[sources[1]].view) return std::nullopt;
  const bool alone = layout_.graph.readers(sources[1]).size() == 1;
  return alone ? std::optional(sources[1]) : std::nullopt;
}

/// Whether a gradient comes back for the layer's output; that of a loss is made.
bool AutogradStep::is_consumed(std::size_t i) const {
  return !layout_.graph.readers(i).empty();
}

}  // namespace mimus::kernels
