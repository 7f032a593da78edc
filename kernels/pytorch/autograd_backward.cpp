// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernels/pytorch/autograd_step.hpp"

namespace mimus::kernels {

using workloads::Operator;

/// In the opposite order of the forward pass, as autograd's queue has it.
void AutogradStep::backward() {
  std::size_t last = nodes_.size();
  while (last > 0 && nodes_[last - 1].output == kNone) --last;
  for (std::size_t i = last; i-- > 0;) {
    if (i == loss_) {
      backward_loss(i);
      continue;
    }
    const Node& node = nodes_[i];
    const bool begins = i + 1 == last || (!is_consumed(i) && node.output != kNone);  // a loss
    const Tensor gradient =
        begins && node.gradient == kNone ? log_.make(node.width * node.elements) : node.gradient;
    nodes_[i].gradient = kNone;
    if (gradient == kNone) {
      if (run_at(i) == nullptr) log_.drop(nodes_[i].saved);
      continue;
    }
    backward_layer(i, gradient);
  }
}

/// Sums into the gradient that is there, if nobody else has that, else into a new one.
void AutogradStep::deliver(std::size_t layer, Tensor gradient) {
  if (layer == kInput || gradient == kNone) return log_.drop(gradient);
  Tensor& sum = nodes_[layer].gradient;
  if (sum == kNone) {
    sum = gradient;
  } else if (log_.has_one_owner(sum)) {
    log_.drop(gradient);
  } else {
    sum = log_.replace(sum, log_.bytes(gradient));
    log_.drop(gradient);
  }
}

AutogradStep::Tensor AutogradStep::cast_gradient(Tensor gradient, std::size_t i,
                                                 std::int64_t width) {
  if (i == kInput || nodes_[i].width == width || gradient == kNone) return gradient;
  return log_.replace(gradient, log_.bytes(gradient) / width * nodes_[i].width);
}

/// Of a parameter, cast to fp32 if its product was in 16 bits.
void AutogradStep::keep_gradient(Tensor gradient, std::int64_t bytes) {
  if (gradient == kNone) return;
  log_.keep(settings_.mixed() ? log_.replace(gradient, bytes) : gradient);
}

void AutogradStep::backward_layer(std::size_t i, Tensor gradient) {
  if (const AttentionRun* run = run_at(i)) return backward_fused(run->first, *run, gradient);
  switch (geometry(i).op) {
    case Operator::embedding:
      return backward_embedding(i, gradient);
    case Operator::convolution:
      return backward_convolution(i, gradient);
    case Operator::linear:
      return backward_linear(i, gradient);
    case Operator::batched_matmul:
      return is_scores(i) ? backward_scores(i, gradient) : backward_context(i, gradient);
    case Operator::gru:
      return backward_gru(i, gradient);
    case Operator::batch_norm:
    case Operator::layer_norm:
      return backward_normalisation(i, gradient);
    case Operator::softmax:
      return backward_map(i, gradient, nodes_[i].width * nodes_[i].elements);
    case Operator::residual_add:
    case Operator::concat:
      return hand_on(i, gradient);
    case Operator::elementwise:
      return backward_elementwise(i, gradient);
    default:
      return backward_map(i, gradient);
  }
}

void AutogradStep::backward_map(std::size_t i, Tensor gradient, std::int64_t scratch) {
  const std::size_t source = nodes_[i].sources.front();
  const Tensor input =
      source == kInput ? kNone : log_.make(nodes_[source].width * nodes_[source].elements);
  log_.drop(log_.make(scratch));
  log_.drop(gradient);
  log_.drop(nodes_[i].saved);
  deliver(source, input);
}

void AutogradStep::backward_normalisation(std::size_t i, Tensor gradient) {
  const Node& node = nodes_[i];
  const std::int64_t parameter = kFloat * geometry(i).out;
  const bool batch = geometry(i).op == Operator::batch_norm;
  const Tensor input = batch ? kNone : log_.make(node.width * node.elements);
  const Tensor means = batch ? log_.make(parameter) : kNone;
  const Tensor deviations = batch ? log_.make(parameter) : kNone;
  log_.keep(log_.make(parameter));
  log_.keep(log_.make(parameter));
  const Tensor image = batch ? log_.make(node.width * node.elements) : kNone;
  log_.drop(deviations);
  log_.drop(means);
  log_.drop(gradient);
  log_.drop(nodes_[i].saved);
  const std::size_t source = node.sources.front();
  deliver(source, cast_gradient(batch ? image : input, source, node.width));
}

/// A sum, or a concatenation: the same gradient, or a view of it, for all.
void AutogradStep::hand_on(std::size_t i, Tensor gradient) {
  for (const std::size_t source : nodes_[i].sources) {
    if (source == kInput) continue;
    const bool casts = nodes_[source].width != nodes_[i].width;
    deliver(source, casts ? log_.make(nodes_[source].width * nodes_[source].elements)
                          : log_.share(gradient));
  }
  log_.drop(gradient);
}

void AutogradStep::backward_elementwise(std::size_t i, Tensor gradient) {
  Node& node = nodes_[i];
  if (node.view) return log_.drop(gradient);
  const std::size_t source = node.sources.front();
  if (geometry(i).masked) {  // the mask's sum in 16 bits again, then the scale
    const Tensor sum = cast_gradient(gradient, source, node.width);
    deliver(source, log_.replace(sum, log_.bytes(sum)));
  } else if (node.sources.size() > 1 && node.saved.empty()) {
    hand_on(i, gradient);
  } else if (node.sources.size() > 1) {  // a product: each factor's is that of the other times it
    std::vector<Tensor> factors;
    for (std::size_t k = 0; k < node.sources.size(); ++k) {
      factors.push_back(log_.make(node.width * node.elements));
    }
    log_.drop(gradient);
    log_.drop(node.saved);
    for (std::size_t k = 0; k < factors.size(); ++k) deliver(node.sources[k], factors[k]);
  } else {
    const bool maps = !node.saved.empty() || node.width == width_of(source);
    if (maps) gradient = log_.replace(gradient, node.width * node.elements);
    log_.drop(node.saved);
    const Tensor input =
        source == kInput || node.width == nodes_[source].width
            ? gradient
            : log_.replace(gradient, nodes_[source].width * nodes_[source].elements);
    deliver(source, input);
  }
}

void AutogradStep::backward_loss(std::size_t i) {
  Node& node = nodes_[i];
  const std::size_t source = node.sources.front();
  const Tensor logarithm = node.saved[0];
  const std::int64_t own = log_.bytes(logarithm);
  const bool casts = node.saved[1] != kNone;
  Tensor gradient = log_.make(casts ? log_.bytes(node.saved[1]) : own);
  log_.drop(node.saved[1]);
  log_.drop(node.saved[2]);
  if (casts) gradient = log_.replace(gradient, own);
  const Tensor input = log_.make(own);
  log_.drop(gradient);
  log_.drop(logarithm);
  node.saved.clear();
  deliver(source, input);
}

}  // namespace mimus::kernels
