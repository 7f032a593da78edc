// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// The backward pass of layers that multiply, and of embeddings.
#include <algorithm>

#include "kernels/launch/sorted_rows.hpp"
#include "kernels/pytorch/autograd_step.hpp"
#include "kernels/pytorch/library_memory.hpp"

namespace mimus::kernels {

/// With a bias the order of the three gradients is that of autograd's addmm; without, of its mm.
void AutogradStep::backward_linear(std::size_t i, Tensor gradient) {
  const auto& g = geometry(i);
  const std::size_t source = nodes_[i].sources.front();
  const std::int64_t input_bytes = input_elements(i, source) * own_width();
  const std::int64_t weight_bytes = parameter_bytes(i, 0) / kFloat * own_width();
  Tensor input = g.bias ? log_.make(input_bytes) : kNone;
  if (g.bias) note_product(Pass::backward);
  const Tensor weights = log_.make(weight_bytes);
  note_product(Pass::backward);
  Tensor bias = kNone;
  if (g.bias) {
    bias = log_.make(own_width() * g.out);
    const RowSum sum(settings_.batch * g.rows, g.out);
    const Tensor partial_sums = log_.make(sum.partial_sums);
    log_.drop(log_.make(sum.semaphores));
    log_.drop(partial_sums);
  } else {
    input = log_.make(input_bytes);
  }
  log_.drop(gradient);
  log_.drop(nodes_[i].saved);
  deliver(source, cast_gradient(input, source, own_width()));
  if (g.tied) {
    // The table's own gradient is added to it later.
    const Tensor of_table = settings_.mixed() ? log_.replace(weights, 2 * weight_bytes) : weights;
    log_.keep(of_table);
  } else {
    keep_gradient(weights, parameter_bytes(i, 0));
  }
  keep_gradient(bias, kFloat * g.out);
}

void AutogradStep::backward_convolution(std::size_t i, Tensor gradient) {
  const auto& g = geometry(i);
  const std::size_t source = nodes_[i].sources.front();
  Tensor input = kNone;
  if (g.input_gradient) {
    input = log_.make(input_elements(i, source) * own_width());
    note_work(i, Pass::backward, Convolution::Pass::input_gradient);
    note_rest();
  }
  const Tensor weights = log_.make(parameter_bytes(i, 0) / kFloat * own_width());
  note_work(i, Pass::backward, Convolution::Pass::weight_gradient);
  note_rest();
  const Tensor bias = g.bias ? log_.make(own_width() * g.out) : kNone;
  log_.drop(gradient);
  log_.drop(nodes_[i].saved);
  if (input != kNone) deliver(source, cast_gradient(input, source, own_width()));
  keep_gradient(weights, parameter_bytes(i, 0));
  keep_gradient(bias, kFloat * g.out);
}

/// The right operand's first; the left one's is cast where the weights were.
void AutogradStep::backward_context(std::size_t i, Tensor gradient) {
  const std::size_t weights = nodes_[i].sources.front();
  const Tensor value = log_.make(sizes_[i].second);
  note_product(Pass::backward);
  const Tensor left = log_.make(sizes_[i].input);
  log_.drop(gradient);
  log_.drop(nodes_[i].saved);
  if (nodes_[i].sources.size() > 1) {
    deliver(nodes_[i].sources[1], cast_gradient(value, nodes_[i].sources[1], own_width()));
  } else {
    log_.drop(value_gradient_);
    value_gradient_ = value;
  }
  deliver(weights, cast_gradient(left, weights, own_width()));
}

void AutogradStep::backward_scores(std::size_t i, Tensor gradient) {
  const Tensor key = log_.make(sizes_[i].second);
  const Tensor query = log_.make(sizes_[i].input);
  log_.drop(gradient);
  log_.drop(nodes_[i].saved);
  const Tensor value = value_gradient_;
  value_gradient_ = kNone;
  hand_to_projections(i, query, key, value);
}

/// Where one layer has projected all, its gradient is put together from copies of the parts.
void AutogradStep::hand_to_projections(std::size_t i, Tensor query, Tensor key, Tensor value) {
  const Layers& to = nodes_[i].sources;
  if (to.size() > 1) {
    to.size() > 2 ? deliver(to[2], value) : log_.drop(value);
    deliver(to[1], key);
    return deliver(to[0], query);
  }
  const std::size_t source = to.front();
  if (value != kNone) value = log_.replace(value, log_.bytes(value));
  key = log_.replace(key, log_.bytes(key));
  const Tensor all =
      source == kInput ? kNone : log_.make(nodes_[source].width * nodes_[source].elements);
  for (const Tensor part : {key, query, value}) log_.drop(part);
  deliver(source, all);
}

void AutogradStep::backward_fused(std::size_t i, const AttentionRun& run, Tensor gradient) {
  const std::int64_t bytes = sizes_[run.last].output;
  const Tensor query = log_.make(bytes);
  const Tensor key = log_.make(bytes);
  const Tensor value = log_.make(bytes);
  log_.drop(gradient);
  log_.drop(nodes_[i].saved);
  hand_to_projections(i, query, key, value);
}

/// The gradients of all weights come in one array.
void AutogradStep::backward_gru(std::size_t i, Tensor gradient) {
  const auto& g = geometry(i);
  const std::size_t source = nodes_[i].sources.front();
  const std::int64_t state = own_width() * g.hidden * g.directions * settings_.batch;
  const Tensor of_state = log_.make(state);
  const Tensor input = log_.make(sizes_[i].input);
  const Tensor begin = log_.make(state);
  note_work(i, Pass::backward, {});
  note_rest();
  const Tensor weights = log_.make(parameters_bytes(i) / kFloat * own_width());
  note_work(i, Pass::backward, {});
  note_rest();
  for (const Tensor done : {of_state, begin, gradient}) log_.drop(done);
  log_.drop(nodes_[i].saved);
  // Autocast copied the input, whatever its width.
  const bool copied = settings_.mixed() && source != kInput;
  deliver(source,
          copied ? log_.replace(input, nodes_[source].width * nodes_[source].elements) : input);
  if (!settings_.mixed()) return log_.keep(weights);
  const auto& tensors = layout_.parameters.layers[i];
  for (auto tensor = tensors.rbegin(); tensor != tensors.rend(); ++tensor) {
    log_.keep(log_.make(kFloat * tensor->elements));
  }
  log_.drop(weights);
}

/// A part of a larger gradient is copied to where its rows follow each other.
void AutogradStep::backward_embedding(std::size_t i, Tensor gradient) {
  const auto& g = geometry(i);
  const std::int64_t rows = lookups(g, settings_.batch);
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
  if (shares_weights(model_, i)) {
    log_.drop(table);  // into the gradient that the tied layer has made
  } else {
    log_.keep(table);
  }
}

void AutogradStep::add_sorted(std::int64_t rows, std::int64_t features, std::int64_t entries) {
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
