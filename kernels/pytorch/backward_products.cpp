// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/pytorch/backward_products.hpp"

#include <algorithm>

#include "kernels/launch/sorted_rows.hpp"
#include "kernels/pytorch/library_memory.hpp"

namespace mimus::kernels {

/// With a bias the three gradients are in the order of autograd's addmm, without one in that of its
/// mm.
void BackwardProducts::linear(std::size_t i, Tensor gradient) {
  const auto& g = tape_.geometry(i);
  const std::size_t source = tape_.node(i).sources.front();
  const std::int64_t input_bytes = tape_.input_elements(i, source) * tape_.own_width();
  const std::int64_t weight_bytes = tape_.parameter_bytes(i, 0) / kFloat * tape_.own_width();
  Tensor input = g.bias ? log_.make(input_bytes) : kNone;
  if (g.bias) calls_.multiply(Pass::backward);
  const Tensor weights = log_.make(weight_bytes);
  calls_.multiply(Pass::backward);
  Tensor bias = kNone;
  if (g.bias) {
    bias = log_.make(tape_.own_width() * g.out);
    const RowSum sum(tape_.batch() * g.rows, g.out);
    const Tensor partial_sums = log_.make(sum.partial_sums);
    log_.drop(log_.make(sum.semaphores));
    log_.drop(partial_sums);
  } else {
    input = log_.make(input_bytes);
  }
  log_.drop(gradient);
  log_.drop(tape_.node(i).saved);
  flow_.deliver(source, flow_.cast(input, source, tape_.own_width()));
  if (g.tied) {
    // The gradient of the table itself is added later.
    const Tensor of_table = tape_.mixed() ? log_.replace(weights, 2 * weight_bytes) : weights;
    log_.keep(of_table);
  } else {
    flow_.keep(weights, tape_.parameter_bytes(i, 0));
  }
  flow_.keep(bias, kFloat * g.out);
}

void BackwardProducts::convolution(std::size_t i, Tensor gradient) {
  const auto& g = tape_.geometry(i);
  const std::size_t source = tape_.node(i).sources.front();
  Tensor input = kNone;
  if (g.input_gradient) {
    input = log_.make(tape_.input_elements(i, source) * tape_.own_width());
    calls_.begin(i, Pass::backward, Convolution::Pass::input_gradient);
    calls_.end();
  }
  const Tensor weights = log_.make(tape_.parameter_bytes(i, 0) / kFloat * tape_.own_width());
  calls_.begin(i, Pass::backward, Convolution::Pass::weight_gradient);
  calls_.end();
  const Tensor bias = g.bias ? log_.make(tape_.own_width() * g.out) : kNone;
  log_.drop(gradient);
  log_.drop(tape_.node(i).saved);
  if (input != kNone) flow_.deliver(source, flow_.cast(input, source, tape_.own_width()));
  flow_.keep(weights, tape_.parameter_bytes(i, 0));
  flow_.keep(bias, kFloat * g.out);
}

/// The gradient of the right operand comes first. That of the left one is cast where the weights
/// were.
void BackwardProducts::context(std::size_t i, Tensor gradient) {
  const std::size_t weights = tape_.node(i).sources.front();
  const Tensor value = log_.make(tape_.sizes(i).second);
  calls_.multiply(Pass::backward);
  const Tensor left = log_.make(tape_.sizes(i).input);
  log_.drop(gradient);
  log_.drop(tape_.node(i).saved);
  if (tape_.node(i).sources.size() > 1) {
    flow_.deliver(tape_.node(i).sources[1],
                  flow_.cast(value, tape_.node(i).sources[1], tape_.own_width()));
  } else {
    log_.drop(value_gradient_);
    value_gradient_ = value;
  }
  flow_.deliver(weights, flow_.cast(left, weights, tape_.own_width()));
}

void BackwardProducts::scores(std::size_t i, Tensor gradient) {
  const Tensor key = log_.make(tape_.sizes(i).second);
  const Tensor query = log_.make(tape_.sizes(i).input);
  log_.drop(gradient);
  log_.drop(tape_.node(i).saved);
  const Tensor value = value_gradient_;
  value_gradient_ = kNone;
  hand_to_projections(i, query, key, value);
}

/// If one layer has projected all three, its gradient is assembled from copies of the parts.
void BackwardProducts::hand_to_projections(std::size_t i, Tensor query, Tensor key, Tensor value) {
  const Layers& to = tape_.node(i).sources;
  if (to.size() > 1) {
    to.size() > 2 ? flow_.deliver(to[2], value) : log_.drop(value);
    flow_.deliver(to[1], key);
    return flow_.deliver(to[0], query);
  }
  const std::size_t source = to.front();
  if (value != kNone) value = log_.replace(value, log_.bytes(value));
  key = log_.replace(key, log_.bytes(key));
  const Tensor all =
      source == kInput ? kNone : log_.make(tape_.node(source).width * tape_.node(source).elements);
  for (const Tensor part : {key, query, value}) log_.drop(part);
  flow_.deliver(source, all);
}

void BackwardProducts::fused(std::size_t i, const AttentionRun& run, Tensor gradient) {
  const std::int64_t bytes = tape_.sizes(run.last).output;
  const Tensor query = log_.make(bytes);
  const Tensor key = log_.make(bytes);
  const Tensor value = log_.make(bytes);
  log_.drop(gradient);
  log_.drop(tape_.node(i).saved);
  hand_to_projections(i, query, key, value);
}

/// The gradients of all weights are in one array.
void BackwardProducts::gru(std::size_t i, Tensor gradient) {
  const auto& g = tape_.geometry(i);
  const std::size_t source = tape_.node(i).sources.front();
  const std::int64_t state = tape_.own_width() * g.hidden * g.directions * tape_.batch();
  const Tensor of_state = log_.make(state);
  const Tensor input = log_.make(tape_.sizes(i).input);
  const Tensor begin = log_.make(state);
  calls_.begin(i, Pass::backward, {});
  calls_.end();
  const Tensor weights = log_.make(tape_.parameters_bytes(i) / kFloat * tape_.own_width());
  calls_.begin(i, Pass::backward, {});
  calls_.end();
  for (const Tensor done : {of_state, begin, gradient}) log_.drop(done);
  log_.drop(tape_.node(i).saved);
  // Autocast copied the input, whatever its width was.
  const bool copied = tape_.mixed() && source != kInput;
  flow_.deliver(
      source,
      copied ? log_.replace(input, tape_.node(source).width * tape_.node(source).elements) : input);
  if (!tape_.mixed()) return log_.keep(weights);
  const auto& tensors = tape_.layout().parameters.layers[i];
  for (auto tensor = tensors.rbegin(); tensor != tensors.rend(); ++tensor) {
    log_.keep(log_.make(kFloat * tensor->elements));
  }
  log_.drop(weights);
}

/// A part of a larger gradient is copied so that its rows are contiguous.
void BackwardProducts::embedding(std::size_t i, Tensor gradient) {
  const auto& g = tape_.geometry(i);
  const std::int64_t rows = lookups(g, tape_.batch());
  const std::int64_t bytes = kFloat * rows * g.out;
  if (log_.bytes(gradient) != bytes) gradient = log_.replace(gradient, bytes);
  const bool sorts = rows > kRowsInOrder;
  const SortedGradient sorted(rows, g.out, g.entries);
  std::vector<Tensor> lists;
  if (sorts) {
    lists = {log_.make(sorted.places), log_.make(sorted.places)};
    const Tensor unsorted = log_.make(sorted.places);
    log_.drop(log_.make(sorted.sort));
    log_.drop(unsorted);
  }
  const Tensor table = log_.make(kFloat * g.entries * g.out);
  if (sorts) add_sorted(rows, g.out, g.entries);
  log_.drop(lists);
  log_.drop(gradient);
  if (shares_weights(tape_.model(), i)) {
    log_.drop(table);  // added to the gradient that the tied layer has made
  } else {
    log_.keep(table);
  }
}

void BackwardProducts::add_sorted(std::int64_t rows, std::int64_t features, std::int64_t entries) {
  const SortedGradient sorted(rows, features, entries);
  std::vector<Tensor> lists{log_.make(sorted.places), log_.make(kIndex)};
  log_.drop(log_.make(sorted.places));
  for (const std::int64_t bytes :
       {sorted.runs, sorted.runs, kIndex, sorted.parts, sorted.part_sums}) {
    lists.push_back(log_.make(bytes));
  }
  std::reverse(lists.begin(), lists.end());
  log_.drop(lists);
}

}  // namespace mimus::kernels
