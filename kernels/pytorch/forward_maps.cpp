// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/pytorch/forward_maps.hpp"

#include <algorithm>

namespace mimus::kernels {

using workloads::Activation;
using workloads::Operator;

void ForwardMaps::normalisation(std::size_t i) {
  const std::size_t source = tape_.source_of(i);
  const std::int64_t elements = tape_.elements(i);
  const bool rows = tape_.geometry(i).op == Operator::layer_norm;
  const std::int64_t width = rows ? kFloat : tape_.width_of(source);
  const bool casts = tape_.width_of(source) != width;
  const Tensor input = casts ? log_.make(width * elements) : log_.share(tape_.output_of(source));
  const Tensor output = log_.make(width * elements);
  const std::int64_t statistics = rows ? tape_.sizes(i).kept / 2 : kFloat * tape_.geometry(i).out;
  const Tensor mean = log_.make(statistics);
  const Tensor deviation = log_.make(statistics);
  tape_.node(i).saved = {input, mean, deviation};
  tape_.set_output(i, output, width, {source});
  tape_.take_sources(i);
}

/// An in-place activation passes on its input's tensor. Some derivatives need the input, which
/// autograd copies if it is overwritten.
void ForwardMaps::map(std::size_t i) {
  const auto& g = tape_.geometry(i);
  const std::int64_t elements = tape_.elements(i);
  const std::size_t source = tape_.source_of(i);
  const std::int64_t width = g.op == Operator::softmax ? kFloat : tape_.width_of(source);
  Tensor output = kNone;
  if (g.op == Operator::dropout) {
    tape_.node(i).saved = {log_.make(elements)};
    output = log_.make(width * elements);
    const bool weighs =
        i + 1 < tape_.size() && tape_.geometry(i + 1).op == Operator::batched_matmul;
    if (weighs) variables_.of_attention(log_.share(output));
  } else if (g.op == Operator::activation &&
             (g.function == Activation::gelu || g.function == Activation::hardtanh)) {
    output = log_.make(width * elements);
    tape_.node(i).saved = {log_.share(tape_.output_of(source))};
  } else {
    const bool norm = source != kInput && (tape_.geometry(source).op == Operator::batch_norm ||
                                           tape_.geometry(source).op == Operator::residual_add);
    const bool in_place = g.op == Operator::activation && norm && g.in_place;
    output = in_place ? log_.share(tape_.output_of(source)) : log_.make(width * elements);
    tape_.node(i).saved = {log_.share(output)};
  }
  tape_.set_output(i, output, width, {source});
  tape_.take_sources(i);
}

void ForwardMaps::pooling(std::size_t i) {
  const std::size_t source = tape_.source_of(i);
  const std::int64_t elements = tape_.elements(i);
  const Tensor output = log_.make(tape_.width_of(source) * elements);
  const Operator op = tape_.geometry(i).op;
  if (op != Operator::upsample) tape_.node(i).saved = {log_.share(tape_.output_of(source))};
  if (op == Operator::max_pool) tape_.node(i).saved.push_back(log_.make(kIndex * elements));
  tape_.set_output(i, output, tape_.width_of(source), {source});
  tape_.take_sources(i);
}

/// Adds to the output of a batch norm in place, because no backward pass needs that output.
void ForwardMaps::addition(std::size_t i) {
  const std::int64_t elements = tape_.elements(i);
  const Layers summands = tape_.sources_of(i);
  std::int64_t width = kHalfFloat;
  std::size_t target = kInput;
  for (const std::size_t j : summands) {
    width = std::max(width, tape_.width_of(j));
    if (j != kInput && tape_.geometry(j).op == Operator::batch_norm) target = std::min(target, j);
  }
  const bool in_place = target != kInput;
  const Tensor output =
      in_place ? log_.share(tape_.output_of(target)) : log_.make(width * elements);
  tape_.set_output(i, output, width, summands);
  tape_.take_sources(i);
  variables_.residual_sum();
}

/// A concatenation or a product. Variables of the model's function name the result.
void ForwardMaps::joined(std::size_t i, const Layers& layers) {
  std::int64_t width = kHalfFloat;
  for (const std::size_t j : layers) width = std::max(width, tape_.width_of(j));
  const Tensor output = log_.make(width * tape_.elements(i));
  variables_.of_model(log_.share(output));
  tape_.set_output(i, output, width, layers);
  if (tape_.geometry(i).op == Operator::elementwise) {
    for (const std::size_t j : layers)
      tape_.node(i).saved.push_back(log_.share(tape_.output_of(j)));
  }
  tape_.take_sources(i);
}

/// The scaled scores are in 16 bits and stay in a variable. Their sum with the mask is fp32.
void ForwardMaps::masked(std::size_t i) {
  const std::size_t source = tape_.source_of(i);
  const std::int64_t elements = tape_.elements(i);
  variables_.of_attention(log_.make(tape_.width_of(source) * elements));
  tape_.node(i).sources = {source};
  tape_.take_sources(i);
  tape_.set_output(i, log_.make(kFloat * elements), kFloat, {source});
}

void ForwardMaps::elementwise(std::size_t i) {
  const auto& g = tape_.geometry(i);
  const std::int64_t elements = tape_.elements(i);
  const auto next = [&](Operator op) {
    return i + 1 < tape_.size() && tape_.geometry(i + 1).op == op;
  };
  if (g.masked) return masked(i);
  if (g.strided && next(Operator::batched_matmul)) {  // the product copies its operands itself
    tape_.node(i).sources = tape_.sources_of(i);
    tape_.node(i).view = true;
    return;
  }
  const Layers sources = tape_.sources_of(i);
  if (sources.size() > 1 && g.saves_input) return joined(i, sources);
  if (sources.size() > 1) {
    Tensor sum = log_.make(kFloat * elements);
    for (std::size_t k = 2; k < sources.size(); ++k) sum = log_.replace(sum, kFloat * elements);
    tape_.set_output(i, sum, kFloat, sources);
    return tape_.take_sources(i);
  }
  kernels(i, elements);
  tape_.take_sources(i);
}

/// A transposition, a sum over directions, or unknown kernels.
void ForwardMaps::kernels(std::size_t i, std::int64_t elements) {
  const auto& g = tape_.geometry(i);
  const bool sums = tape_.model().layers[i].backward_kernels == 0;  // autocast does it in fp32
  const std::size_t source = tape_.source_of(i);
  const bool of_fused = g.strided && i > 0 && tape_.run_at(i - 1) != nullptr;  // it leaves a view
  const std::int64_t width = sums ? kFloat : tape_.width_of(source);
  if (of_fused) {
    tape_.set_output(i, log_.share(tape_.output_of(source)), width, {source});
  } else if (g.strided || sums) {
    const Tensor output = log_.make(width * elements);
    if (g.strided) variables_.of_model(log_.share(output));
    tape_.set_output(i, output, width, {source});
    if (source != kInput && tape_.geometry(source).op == Operator::gru) tape_.take_sources(source);
  } else {
    if (g.saves_input) tape_.node(i).saved.push_back(log_.share(tape_.output_of(source)));
    const Tensor cast = width != kFloat ? log_.make(kFloat * elements) : kNone;
    const Tensor output = log_.make(kFloat * elements);
    if (g.saves_output) tape_.node(i).saved.push_back(log_.share(output));
    log_.drop(cast);
    tape_.set_output(i, output, kFloat, {source});
  }
}

/// The logarithm of the softmax of the input, a cast of it that the loss takes, and two numbers.
void ForwardMaps::loss(std::size_t i) {
  const std::size_t source = tape_.source_of(i);
  const std::int64_t elements = tape_.elements(i);
  const Tensor logarithm = log_.make(tape_.width_of(source) * elements);
  const Tensor cast = tape_.width_of(source) != kFloat ? log_.make(kFloat * elements) : kNone;
  const Tensor loss = log_.make(kFloat);
  tape_.node(i).saved = {logarithm, cast, log_.make(kFloat)};
  tape_.set_output(i, loss, kFloat, {source});
  tape_.set_loss(i);
}

}  // namespace mimus::kernels
