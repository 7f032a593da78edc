// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/pytorch/autograd_step.hpp"

#include "kernels/pytorch/backward_pass.hpp"
#include "kernels/pytorch/forward_pass.hpp"

namespace mimus::kernels {

using workloads::Operator;

std::vector<AllocationEvent> step_events(const workloads::Model& model, const ReplicaLayout& layout,
                                         const PlanSettings& settings,
                                         const MicroBatchLaunches& launches) {
  AutogradTape tape(model, layout, settings);
  LibraryCalls calls(tape, launches);
  ForwardPass(tape, calls).run();
  BackwardPass(tape, calls).run();
  return tape.log().take();
}

std::vector<AllocationEvent> model_allocations(const workloads::Model& model,
                                               const ParameterLayout& parameters) {
  AllocationLog log;
  for (std::size_t i = 0; i < model.layers.size(); ++i) {
    const workloads::LayerGeometry& g = model.layers[i].geometry;
    std::vector<AllocationLog::Tensor> tensors;
    std::int64_t all = 0;
    for (const TensorSpan& tensor : parameters.layers[i]) {
      tensors.push_back(log.make(kFloat * tensor.elements));
      all += kFloat * tensor.elements;
    }
    if (g.op == Operator::gru) {
      (void)log.make(all);
      log.drop(tensors);
    } else if (g.op == Operator::batch_norm) {  // mean, variance, count of batches
      for (const std::int64_t bytes : {kFloat * g.out, kFloat * g.out, kIndex}) {
        (void)log.make(bytes);
      }
    }
  }
  return log.take();
}

}  // namespace mimus::kernels
