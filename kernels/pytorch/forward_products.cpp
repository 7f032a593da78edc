// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/pytorch/forward_products.hpp"

#include "kernels/launch/alignment.hpp"

namespace mimus::kernels {

using workloads::Operator;

/// Autocast casts the last argument first. It keeps the casts of parameters, even that of the bias,
/// although the backward pass needs only that of the weights.
void ForwardProducts::dense(std::size_t i) {
  const std::size_t source = tape_.source_of(i);
  const std::int64_t elements = tape_.input_elements(i, source);
  Tensor weights = kNone;
  if (tape_.mixed()) {
    if (tape_.geometry(i).bias) variables_.keep_cast(log_.make(kHalfFloat * tape_.geometry(i).out));
    weights = log_.make(tape_.parameter_bytes(i, 0) / 2);
    variables_.keep_cast(log_.share(weights));
  }
  const bool casts = tape_.width_of(source) != tape_.own_width();
  const Tensor input =
      casts ? log_.make(tape_.own_width() * elements) : log_.share(tape_.output_of(source));
  const Tensor output = log_.make(tape_.sizes(i).output);
  if (tape_.geometry(i).op == Operator::convolution) {
    calls_.begin(i, Pass::forward, Convolution::Pass::forward);
    calls_.end();
  } else {
    calls_.multiply(Pass::forward);
  }
  tape_.node(i).saved = {input, weights};
  tape_.set_output(i, output, tape_.own_width(), {source});
  tape_.take_sources(i);
}

/// Query and key are copied so that their rows are contiguous. The copies stay, because the block's
/// variables are views of them.
void ForwardProducts::scores(std::size_t i) {
  const Layers projections = tape_.sources_of(i);
  const Tensor query = log_.make(tape_.sizes(i).input);
  const Tensor key = log_.make(tape_.sizes(i).second);
  const Tensor output = log_.make(tape_.sizes(i).output);
  calls_.multiply(Pass::forward);
  tape_.node(i).saved = {query, key};
  for (const std::size_t j : projections) {
    if (j == kInput || tape_.node(j).released) continue;
    tape_.node(j).released = true;
    variables_.of_block(tape_.node(j).output);
  }
  variables_.block_begins();
  tape_.set_output(i, output, tape_.own_width(), projections);
}

void ForwardProducts::context(std::size_t i) {
  const std::size_t weights = tape_.source_of(i);
  const bool casts = tape_.width_of(weights) != tape_.own_width();
  const Tensor left =
      casts ? log_.make(tape_.sizes(i).input) : log_.share(tape_.output_of(weights));
  const Tensor value = log_.make(tape_.sizes(i).second);
  const Tensor output = log_.make(tape_.sizes(i).output);
  calls_.multiply(Pass::forward);
  tape_.node(i).saved = {left, value};
  const auto own_value = tape_.value_of(i);
  tape_.set_output(i, output, tape_.own_width(),
                   own_value ? Layers{weights, *own_value} : Layers{weights});
  variables_.attention_ends();
  tape_.take_sources(i);
}

/// One kernel, which keeps its operands, its result and one number per row.
void ForwardProducts::fused(std::size_t i, const AttentionRun& run) {
  Layers projections = tape_.sources_of(i);
  if (const auto own_value = tape_.value_of(run.last)) projections.push_back(*own_value);
  const Tensor output = log_.make(tape_.sizes(run.last).output);
  tape_.node(i).saved = {log_.share(output),
                         log_.make(kFloat * tape_.batch() * run.heads * run.rows)};
  for (const std::size_t j : projections)
    tape_.node(i).saved.push_back(log_.share(tape_.output_of(j)));
  tape_.node(i).sources = projections;
  for (const std::size_t j : projections) tape_.release(j);
  tape_.set_output(run.last, output, tape_.own_width(), {});
}

/// cuDNN takes all weights in one array, and an initial state.
void ForwardProducts::gru(std::size_t i) {
  const auto& g = tape_.geometry(i);
  const std::size_t source = tape_.source_of(i);
  const std::int64_t state = g.hidden * g.directions * tape_.batch();
  const Tensor begin = log_.make(tape_.width_of(source) * state);
  const Tensor weights = tape_.mixed() ? log_.make(tape_.parameters_bytes(i) / 2) : kNone;
  const bool casts = tape_.width_of(source) != tape_.own_width();
  const Tensor cast = casts ? log_.make(tape_.own_width() * state) : log_.share(begin);
  const Tensor input =
      tape_.mixed() ? log_.make(tape_.sizes(i).input) : log_.share(tape_.output_of(source));
  const Tensor output = log_.make(tape_.sizes(i).output);
  const Tensor end = log_.make(tape_.own_width() * state);
  calls_.begin(i, Pass::forward, {});
  const Tensor reserve = log_.make(tape_.sizes(i).kept + kTensorAlignment);  // as for cuDNN
  calls_.end();
  log_.drop(begin);
  log_.drop(end);
  tape_.node(i).saved = {cast, input, log_.share(output), reserve, weights};
  tape_.set_output(i, output, tape_.own_width(), {source});
  // The variable stays until the directions are summed, if they are.
  const bool summed = i + 1 < tape_.size() && tape_.geometry(i + 1).op == Operator::elementwise;
  if (!summed) tape_.take_sources(i);
}

}  // namespace mimus::kernels
