// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/pytorch/autograd_tape.hpp"

#include <algorithm>

namespace mimus::kernels {

using workloads::Operator;

AutogradTape::AutogradTape(const workloads::Model& model, const ReplicaLayout& layout,
                           const PlanSettings& settings)
    : model_(model), layout_(layout), settings_(settings), nodes_(model.layers.size()) {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    sizes_.push_back(layer_sizes(model.layers[i], settings.batch, layout.widths[i]));
  }
}

std::int64_t AutogradTape::own_width() const {
  return settings_.mixed() ? kHalfFloat : kFloat;
}

std::int64_t AutogradTape::parameter_bytes(std::size_t i, std::size_t tensor) const {
  if (const auto table = tied_table(model_, i)) {
    if (tensor == 0) return kFloat * layout_.parameters.layers[*table].front().elements;
    --tensor;
  }
  const auto& tensors = layout_.parameters.layers[i];
  return tensor < tensors.size() ? kFloat * tensors[tensor].elements : 0;
}

std::int64_t AutogradTape::parameters_bytes(std::size_t i) const {
  std::int64_t bytes = 0;
  for (const TensorSpan& tensor : layout_.parameters.layers[i]) bytes += kFloat * tensor.elements;
  return bytes;
}

bool AutogradTape::is_scores(std::size_t i) const {
  return i + 1 < nodes_.size() && geometry(i + 1).masked;
}

const AttentionRun* AutogradTape::run_at(std::size_t i) const {
  const auto run =
      std::find_if(layout_.attention.begin(), layout_.attention.end(),
                   [i](const AttentionRun& one) { return one.first <= i && i <= one.last; });
  return run == layout_.attention.end() ? nullptr : &*run;
}

/// What the layer reads, through views of other layers' outputs.
AutogradTape::Layers AutogradTape::sources_of(std::size_t i) const {
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

/// The layer whose output is used only as the right operand of this product. A layer that yields
/// all operands of attention gets its gradient from the product of the scores.
std::optional<std::size_t> AutogradTape::value_of(std::size_t i) const {
  const Layers& sources = layout_.graph.sources(i);
  if (sources.size() < 2 || sources[1] == kInput || nodes_[sources[1]].view) return std::nullopt;
  const bool alone = layout_.graph.readers(sources[1]).size() == 1;
  return alone ? std::optional(sources[1]) : std::nullopt;
}

/// Whether a gradient comes back for the layer's output. That of a loss is created.
bool AutogradTape::is_consumed(std::size_t i) const {
  return !layout_.graph.readers(i).empty();
}

/// If the stride of a convolution does not divide its input, the input is what the previous layer
/// yielded.
std::int64_t AutogradTape::input_elements(std::size_t i, std::size_t source) const {
  const bool image = geometry(i).op == Operator::convolution && source != kInput;
  return image ? nodes_[source].elements : sizes_[i].input / layout_.widths[i].own;
}

AutogradTape::Tensor AutogradTape::output_of(std::size_t i) const {
  return i == kInput ? kNone : nodes_[i].output;
}

std::int64_t AutogradTape::width_of(std::size_t i) const {
  return i == kInput ? kFloat : nodes_[i].width;
}

/// The variable that names a layer's output goes out of scope or is assigned another tensor.
void AutogradTape::release(std::size_t i) {
  if (i == kInput || nodes_[i].released) return;
  nodes_[i].released = true;
  log_.drop(nodes_[i].output);
}

void AutogradTape::set_output(std::size_t i, Tensor output, std::int64_t width,
                              const Layers& sources) {
  Node& node = nodes_[i];
  node.output = output;
  node.elements = elements(i);
  node.width = width;
  node.sources = sources;
}

/// A layer's inputs are released by the caller, unless another layer still reads them.
void AutogradTape::take_sources(std::size_t i) {
  for (const std::size_t source : layout_.graph.sources(i)) {
    if (source == kInput) continue;
    if (++nodes_[source].taken >= layout_.graph.readers(source).size()) release(source);
  }
}

}  // namespace mimus::kernels
