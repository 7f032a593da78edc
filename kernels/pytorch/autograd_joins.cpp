// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Layers that read several tensors, and those that are written in a model's own functions.
#include <algorithm>

#include "kernels/pytorch/autograd_step.hpp"

namespace mimus::kernels {

using workloads::Operator;

/// Added to the output of a batch norm in place, as no backward pass needs that.
void AutogradStep::forward_addition(std::size_t i) {
  const std::int64_t elements = sizes_[i].output / layout_.widths[i].own;
  const Layers summands = sources_of(i);
  std::int64_t width = kHalfFloat;
  std::size_t target = kInput;
  for (const std::size_t j : summands) {
    width = std::max(width, width_of(j));
    if (j != kInput && geometry(j).op == Operator::batch_norm) target = std::min(target, j);
  }
  const bool in_place = target != kInput;
  const Tensor output = in_place ? log_.share(output_of(target)) : log_.make(width * elements);
  set_output(i, output, width, summands);
  take_sources(i);
  constexpr int kSumsOfBlock = 2;
  if (!block_variables_.empty() && ++block_sums_ == kSumsOfBlock) log_.drop(block_variables_);
}

/// A concatenation, a product: variables of the model's function name the result.
void AutogradStep::forward_joined(std::size_t i, Layers joined) {
  std::int64_t width = kHalfFloat;
  for (const std::size_t j : joined) width = std::max(width, width_of(j));
  const Tensor output = log_.make(width * sizes_[i].output / layout_.widths[i].own);
  model_variables_.push_back(log_.share(output));
  set_output(i, output, width, joined);
  if (geometry(i).op == Operator::elementwise) {
    for (const std::size_t j : joined) nodes_[i].saved.push_back(log_.share(output_of(j)));
  }
  take_sources(i);
}

/// Scaled scores in 16 bits, of which a variable is left; the sum with the mask is fp32.
void AutogradStep::forward_masked(std::size_t i) {
  const std::size_t source = source_of(i);
  const std::int64_t elements = sizes_[i].output / layout_.widths[i].own;
  attention_variables_.push_back(log_.make(width_of(source) * elements));
  nodes_[i].sources = {source};
  take_sources(i);
  set_output(i, log_.make(kFloat * elements), kFloat, {source});
}

void AutogradStep::forward_elementwise(std::size_t i) {
  const auto& g = geometry(i);
  const std::int64_t elements = sizes_[i].output / layout_.widths[i].own;
  const auto next = [&](Operator op) { return i + 1 < nodes_.size() && geometry(i + 1).op == op; };
  if (g.masked) return forward_masked(i);
  if (g.strided && next(Operator::batched_matmul)) {  // the product copies its operands itself
    nodes_[i].sources = sources_of(i);
    nodes_[i].view = true;
    return;
  }
  const Layers sources = sources_of(i);
  if (sources.size() > 1 && g.saves_input) return forward_joined(i, sources);
  if (sources.size() > 1) {
    Tensor sum = log_.make(kFloat * elements);
    for (std::size_t k = 2; k < sources.size(); ++k) sum = log_.replace(sum, kFloat * elements);
    set_output(i, sum, kFloat, sources);
    return take_sources(i);
  }
  forward_kernels(i, elements);
  take_sources(i);
}

/// A transposition, a sum over directions, or kernels that nothing is known of.
void AutogradStep::forward_kernels(std::size_t i, std::int64_t elements) {
  const auto& g = geometry(i);
  const bool sums = model_.layers[i].backward_kernels == 0;  // by autocast in fp32
  const std::size_t source = source_of(i);
  const bool of_fused = g.strided && i > 0 && run_at(i - 1) != nullptr;  // which leaves a view
  const std::int64_t width = sums ? kFloat : width_of(source);
  if (of_fused) {
    set_output(i, log_.share(output_of(source)), width, {source});
  } else if (g.strided || sums) {
    const Tensor output = log_.make(width * elements);
    if (g.strided) model_variables_.push_back(log_.share(output));
    set_output(i, output, width, {source});
    if (source != kInput && geometry(source).op == Operator::gru) take_sources(source);
  } else {
    if (g.saves_input) nodes_[i].saved.push_back(log_.share(output_of(source)));
    const Tensor cast = width != kFloat ? log_.make(kFloat * elements) : kNone;
    const Tensor output = log_.make(kFloat * elements);
    if (g.saves_output) nodes_[i].saved.push_back(log_.share(output));
    log_.drop(cast);
    set_output(i, output, kFloat, {source});
  }
}

/// Logarithm of the softmax at what arrives, a cast of it that the loss takes, two numbers.
void AutogradStep::forward_loss(std::size_t i) {
  const std::size_t source = source_of(i);
  const std::int64_t elements = sizes_[i].output / layout_.widths[i].own;
  const Tensor logarithm = log_.make(width_of(source) * elements);
  const Tensor cast = width_of(source) != kFloat ? log_.make(kFloat * elements) : kNone;
  const Tensor loss = log_.make(kFloat);
  nodes_[i].saved = {logarithm, cast, log_.make(kFloat)};
  set_output(i, loss, kFloat, {source});
  loss_ = i;
}

}  // namespace mimus::kernels
