// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/pytorch/backward_pass.hpp"

namespace mimus::kernels {

using workloads::Operator;

/// In reverse order of the forward pass, as in autograd's queue.
void BackwardPass::run() {
  std::size_t last = tape_.size();
  while (last > 0 && tape_.node(last - 1).output == kNone) --last;
  for (std::size_t i = last; i-- > 0;) {
    if (i == tape_.loss()) {
      loss(i);
      continue;
    }
    const AutogradTape::Node& node = tape_.node(i);
    const bool begins = i + 1 == last || (!tape_.is_consumed(i) && node.output != kNone);  // a loss
    const Tensor gradient =
        begins && node.gradient == kNone ? log_.make(node.width * node.elements) : node.gradient;
    tape_.node(i).gradient = kNone;
    if (gradient == kNone) {
      if (tape_.run_at(i) == nullptr) log_.drop(tape_.node(i).saved);
      continue;
    }
    layer(i, gradient);
  }
}

void BackwardPass::layer(std::size_t i, Tensor gradient) {
  if (const AttentionRun* run = tape_.run_at(i)) return products_.fused(run->first, *run, gradient);
  switch (tape_.geometry(i).op) {
    case Operator::embedding:
      return products_.embedding(i, gradient);
    case Operator::convolution:
      return products_.convolution(i, gradient);
    case Operator::linear:
      return products_.linear(i, gradient);
    case Operator::batched_matmul:
      return tape_.is_scores(i) ? products_.scores(i, gradient) : products_.context(i, gradient);
    case Operator::gru:
      return products_.gru(i, gradient);
    case Operator::batch_norm:
    case Operator::layer_norm:
      return normalisation(i, gradient);
    case Operator::softmax:
      return map(i, gradient, tape_.node(i).width * tape_.node(i).elements);
    case Operator::residual_add:
    case Operator::concat:
      return hand_on(i, gradient);
    case Operator::elementwise:
      return elementwise(i, gradient);
    default:
      return map(i, gradient);
  }
}

void BackwardPass::map(std::size_t i, Tensor gradient, std::int64_t scratch) {
  const std::size_t source = tape_.node(i).sources.front();
  const Tensor input =
      source == kInput ? kNone : log_.make(tape_.node(source).width * tape_.node(source).elements);
  log_.drop(log_.make(scratch));
  log_.drop(gradient);
  log_.drop(tape_.node(i).saved);
  flow_.deliver(source, input);
}

void BackwardPass::normalisation(std::size_t i, Tensor gradient) {
  const AutogradTape::Node& node = tape_.node(i);
  const std::int64_t parameter = kFloat * tape_.geometry(i).out;
  const bool batch = tape_.geometry(i).op == Operator::batch_norm;
  const Tensor input = batch ? kNone : log_.make(node.width * node.elements);
  const Tensor means = batch ? log_.make(parameter) : kNone;
  const Tensor deviations = batch ? log_.make(parameter) : kNone;
  log_.keep(log_.make(parameter));
  log_.keep(log_.make(parameter));
  const Tensor image = batch ? log_.make(node.width * node.elements) : kNone;
  log_.drop(deviations);
  log_.drop(means);
  log_.drop(gradient);
  log_.drop(tape_.node(i).saved);
  const std::size_t source = node.sources.front();
  flow_.deliver(source, flow_.cast(batch ? image : input, source, node.width));
}

/// A sum or a concatenation passes the same gradient, or a view of it, to all its sources.
void BackwardPass::hand_on(std::size_t i, Tensor gradient) {
  for (const std::size_t source : tape_.node(i).sources) {
    if (source == kInput) continue;
    const bool casts = tape_.node(source).width != tape_.node(i).width;
    flow_.deliver(source, casts ? log_.make(tape_.node(source).width * tape_.node(source).elements)
                                : log_.share(gradient));
  }
  log_.drop(gradient);
}

void BackwardPass::elementwise(std::size_t i, Tensor gradient) {
  AutogradTape::Node& node = tape_.node(i);
  if (node.view) return log_.drop(gradient);
  const std::size_t source = node.sources.front();
  if (tape_.geometry(i).masked) {  // the sum of the mask in 16 bits again, then the scale
    const Tensor sum = flow_.cast(gradient, source, node.width);
    flow_.deliver(source, log_.replace(sum, log_.bytes(sum)));
  } else if (node.sources.size() > 1 && node.saved.empty()) {
    hand_on(i, gradient);
  } else if (node.sources.size() > 1) {  // a product, factor by factor
    std::vector<Tensor> factors;
    for (std::size_t k = 0; k < node.sources.size(); ++k) {
      factors.push_back(log_.make(node.width * node.elements));
    }
    log_.drop(gradient);
    log_.drop(node.saved);
    for (std::size_t k = 0; k < factors.size(); ++k) flow_.deliver(node.sources[k], factors[k]);
  } else {
    const bool maps = !node.saved.empty() || node.width == tape_.width_of(source);
    if (maps) gradient = log_.replace(gradient, node.width * node.elements);
    log_.drop(node.saved);
    const Tensor input =
        source == kInput || node.width == tape_.node(source).width
            ? gradient
            : log_.replace(gradient, tape_.node(source).width * tape_.node(source).elements);
    flow_.deliver(source, input);
  }
}

void BackwardPass::loss(std::size_t i) {
  AutogradTape::Node& node = tape_.node(i);
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
  flow_.deliver(source, input);
}

}  // namespace mimus::kernels
