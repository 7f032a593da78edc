// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/pytorch/forward_pass.hpp"

namespace mimus::kernels {

using workloads::Operator;

void ForwardPass::run() {
  for (std::size_t i = 0; i < tape_.size() && tape_.loss() == kInput; ++i) layer(i);
  variables_.pass_ends();
  for (std::size_t i = 0; i < tape_.size(); ++i) tape_.release(i);
}

void ForwardPass::layer(std::size_t i) {
  if (const AttentionRun* run = tape_.run_at(i)) {
    if (run->first == i) products_.fused(i, *run);
    return;
  }
  switch (tape_.geometry(i).op) {
    case Operator::embedding:
      return tape_.set_output(
          i, log_.make(kFloat * lookups(tape_.geometry(i), tape_.batch()) * tape_.geometry(i).out),
          kFloat, {});
    case Operator::convolution:
    case Operator::linear:
      return products_.dense(i);
    case Operator::batched_matmul:
      return tape_.is_scores(i) ? products_.scores(i) : products_.context(i);
    case Operator::gru:
      return products_.gru(i);
    case Operator::batch_norm:
    case Operator::layer_norm:
      return maps_.normalisation(i);
    case Operator::softmax:
      if (is_loss(tape_.model(), i)) return maps_.loss(i);
      [[fallthrough]];
    case Operator::activation:
    case Operator::dropout:
      return maps_.map(i);
    case Operator::max_pool:
    case Operator::average_pool:
    case Operator::upsample:
      return maps_.pooling(i);
    case Operator::residual_add:
      return maps_.addition(i);
    case Operator::concat:
      return maps_.joined(i, tape_.sources_of(i));
    case Operator::elementwise:
      return maps_.elementwise(i);
  }
}

}  // namespace mimus::kernels
