// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernels/launch/alignment.hpp"
#include "kernels/pytorch/autograd_step.hpp"

namespace mimus::kernels {

using workloads::Activation;
using workloads::Operator;

void AutogradStep::forward() {
  for (std::size_t i = 0; i < nodes_.size() && loss_ == kInput; ++i) forward_layer(i);
  log_.drop(model_variables_);
  log_.drop(block_variables_);
  log_.drop(attention_variables_);
  log_.drop(weight_casts_);
  for (std::size_t i = 0; i < nodes_.size(); ++i) release(i);
}

void AutogradStep::set_output(std::size_t i, Tensor output, std::int64_t width,
                              const Layers& sources) {
  Node& node = nodes_[i];
  node.output = output;
  node.elements = sizes_[i].output / layout_.widths[i].own;
  node.width = width;
  node.sources = sources;
}

/// A layer's inputs are released by its caller, unless another layer still reads them.
void AutogradStep::take_sources(std::size_t i) {
  for (const std::size_t source : layout_.graph.sources(i)) {
    if (source == kInput) continue;
    if (++nodes_[source].taken >= layout_.graph.readers(source).size()) release(source);
  }
}

void AutogradStep::forward_layer(std::size_t i) {
  if (const AttentionRun* run = run_at(i)) {
    if (run->first == i) forward_fused(i, *run);
    return;
  }
  switch (geometry(i).op) {
    case Operator::embedding:
      return set_output(i,
                        log_.make(kFloat * lookups(geometry(i), settings_.batch) * geometry(i).out),
                        kFloat, {});
    case Operator::convolution:
    case Operator::linear:
      return forward_dense(i);
    case Operator::batched_matmul:
      return is_scores(i) ? forward_scores(i) : forward_context(i);
    case Operator::gru:
      return forward_gru(i);
    case Operator::batch_norm:
    case Operator::layer_norm:
      return forward_normalisation(i);
    case Operator::softmax:
      if (is_loss(model_, i)) return forward_loss(i);
      [[fallthrough]];
    case Operator::activation:
    case Operator::dropout:
      return forward_map(i);
    case Operator::max_pool:
    case Operator::average_pool:
    case Operator::upsample:
      return forward_pooling(i);
    case Operator::residual_add:
      return forward_addition(i);
    case Operator::concat:
      return forward_joined(i, sources_of(i));
    case Operator::elementwise:
      return forward_elementwise(i);
  }
}

/// Autocast casts the last argument first. It keeps the casts of parameters, that of the bias for
/// nothing: the backward pass needs that of the weights only.
void AutogradStep::forward_dense(std::size_t i) {
  const std::size_t source = source_of(i);
  const std::int64_t elements = input_elements(i, source);
  Tensor weights = kNone;
  if (settings_.mixed()) {
    if (geometry(i).bias) weight_casts_.push_back(log_.make(kHalfFloat * geometry(i).out));
    weights = log_.make(parameter_bytes(i, 0) / 2);
    weight_casts_.push_back(log_.share(weights));
  }
  const bool casts = width_of(source) != own_width();
  const Tensor input = casts ? log_.make(own_width() * elements) : log_.share(output_of(source));
  const Tensor output = log_.make(sizes_[i].output);
  if (geometry(i).op == Operator::convolution) {
    note_work(i, Pass::forward, Convolution::Pass::forward);
    note_rest();
  } else {
    note_product(Pass::forward);
  }
  nodes_[i].saved = {input, weights};
  set_output(i, output, own_width(), {source});
  take_sources(i);
}

/// Query and key are copied to where their rows follow each other. They stay, because the block's
/// variables are views of them.
void AutogradStep::forward_scores(std::size_t i) {
  const Layers projections = sources_of(i);
  const Tensor query = log_.make(sizes_[i].input);
  const Tensor key = log_.make(sizes_[i].second);
  const Tensor output = log_.make(sizes_[i].output);
  note_product(Pass::forward);
  nodes_[i].saved = {query, key};
  for (const std::size_t j : projections) {
    if (j == kInput || nodes_[j].released) continue;
    nodes_[j].released = true;
    block_variables_.push_back(nodes_[j].output);
  }
  block_sums_ = 0;
  set_output(i, output, own_width(), projections);
}

void AutogradStep::forward_context(std::size_t i) {
  const std::size_t weights = source_of(i);
  const bool casts = width_of(weights) != own_width();
  const Tensor left = casts ? log_.make(sizes_[i].input) : log_.share(output_of(weights));
  const Tensor value = log_.make(sizes_[i].second);
  const Tensor output = log_.make(sizes_[i].output);
  note_product(Pass::forward);
  nodes_[i].saved = {left, value};
  const auto own_value = value_of(i);
  set_output(i, output, own_width(), own_value ? Layers{weights, *own_value} : Layers{weights});
  log_.drop(attention_variables_);
  take_sources(i);
}

/// One kernel, which keeps its operands, its result and a number per row.
void AutogradStep::forward_fused(std::size_t i, const AttentionRun& run) {
  Layers projections = sources_of(i);
  if (const auto own_value = value_of(run.last)) projections.push_back(*own_value);
  const Tensor output = log_.make(sizes_[run.last].output);
  nodes_[i].saved = {log_.share(output),
                     log_.make(kFloat * settings_.batch * run.heads * run.rows)};
  for (const std::size_t j : projections) nodes_[i].saved.push_back(log_.share(output_of(j)));
  nodes_[i].sources = projections;
  for (const std::size_t j : projections) release(j);
  set_output(run.last, output, own_width(), {});
}

/// cuDNN takes all weights in one array, and a state to begin with.
void AutogradStep::forward_gru(std::size_t i) {
  const auto& g = geometry(i);
  const std::size_t source = source_of(i);
  const std::int64_t state = g.hidden * g.directions * settings_.batch;
  const Tensor begin = log_.make(width_of(source) * state);
  const Tensor weights = settings_.mixed() ? log_.make(parameters_bytes(i) / 2) : kNone;
  const bool casts = width_of(source) != own_width();
  const Tensor cast = casts ? log_.make(own_width() * state) : log_.share(begin);
  const Tensor input =
      settings_.mixed() ? log_.make(sizes_[i].input) : log_.share(output_of(source));
  const Tensor output = log_.make(sizes_[i].output);
  const Tensor end = log_.make(own_width() * state);
  note_work(i, Pass::forward, {});
  const Tensor reserve = log_.make(sizes_[i].kept + kTensorAlignment);  // as cuDNN has it
  note_rest();
  log_.drop(begin);
  log_.drop(end);
  nodes_[i].saved = {cast, input, log_.share(output), reserve, weights};
  set_output(i, output, own_width(), {source});
  // The variable stays until the directions have been summed, if they are.
  const bool summed = i + 1 < nodes_.size() && geometry(i + 1).op == Operator::elementwise;
  if (!summed) take_sources(i);
}

void AutogradStep::forward_normalisation(std::size_t i) {
  const std::size_t source = source_of(i);
  const std::int64_t elements = sizes_[i].output / layout_.widths[i].own;
  const bool rows = geometry(i).op == Operator::layer_norm;
  const std::int64_t width = rows ? kFloat : width_of(source);
  const bool casts = width_of(source) != width;
  const Tensor input = casts ? log_.make(width * elements) : log_.share(output_of(source));
  const Tensor output = log_.make(width * elements);
  const std::int64_t statistics = rows ? sizes_[i].kept / 2 : kFloat * geometry(i).out;
  const Tensor mean = log_.make(statistics);
  const Tensor deviation = log_.make(statistics);
  nodes_[i].saved = {input, mean, deviation};
  set_output(i, output, width, {source});
  take_sources(i);
}

/// An activation in place hands on its input's tensor. The derivative of some needs the input,
/// which autograd copies if it is overwritten.
void AutogradStep::forward_map(std::size_t i) {
  const auto& g = geometry(i);
  const std::int64_t elements = sizes_[i].output / layout_.widths[i].own;
  const std::size_t source = source_of(i);
  const std::int64_t width = g.op == Operator::softmax ? kFloat : width_of(source);
  Tensor output = kNone;
  if (g.op == Operator::dropout) {
    nodes_[i].saved = {log_.make(elements)};
    output = log_.make(width * elements);
    const bool weighs = i + 1 < nodes_.size() && geometry(i + 1).op == Operator::batched_matmul;
    if (weighs) attention_variables_.push_back(log_.share(output));
  } else if (g.op == Operator::activation &&
             (g.function == Activation::gelu || g.function == Activation::hardtanh)) {
    output = log_.make(width * elements);
    nodes_[i].saved = {log_.share(output_of(source))};
  } else {
    const bool norm = source != kInput && (geometry(source).op == Operator::batch_norm ||
                                           geometry(source).op == Operator::residual_add);
    const bool in_place = g.op == Operator::activation && norm && g.in_place;
    output = in_place ? log_.share(output_of(source)) : log_.make(width * elements);
    nodes_[i].saved = {log_.share(output)};
  }
  set_output(i, output, width, {source});
  take_sources(i);
}

void AutogradStep::forward_pooling(std::size_t i) {
  const std::size_t source = source_of(i);
  const std::int64_t elements = sizes_[i].output / layout_.widths[i].own;
  const Tensor output = log_.make(width_of(source) * elements);
  const Operator op = geometry(i).op;
  if (op != Operator::upsample) nodes_[i].saved = {log_.share(output_of(source))};
  if (op == Operator::max_pool) nodes_[i].saved.push_back(log_.make(kIndex * elements));
  set_output(i, output, width_of(source), {source});
  take_sources(i);
}

}  // namespace mimus::kernels
