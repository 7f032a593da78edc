// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Separate from the allocator's model (pytorch_memory.cpp), because the CUDA module links that
// alone.
#include "kernels/pytorch/autograd_step.hpp"
#include "kernels/pytorch/pytorch_memory.hpp"

namespace mimus::kernels {
namespace {

std::vector<std::int64_t> bytes_of(const std::vector<TensorSpan>& tensors) {
  std::vector<std::int64_t> bytes;
  for (const TensorSpan& tensor : tensors) bytes.push_back(kFloat * tensor.elements);
  return bytes;
}

}  // namespace

StepAllocations pytorch_allocations(const workloads::Model& model, const ReplicaLayout& layout,
                                    const PlanSettings& settings,
                                    const MicroBatchLaunches& launches, std::int64_t input_bytes,
                                    std::int64_t micro_batches) {
  const ParameterLayout& parameters = layout.parameters;
  return {.model = model_allocations(model, parameters),
          .updated = bytes_of(tensors_of_part(parameters, settings.optimiser_parts)),
          .moments = workloads::moments(model.optimiser),
          .temporary = settings.optimiser_temporary,
          .inputs = {input_bytes, input_bytes},
          .events = step_events(model, layout, settings, launches),
          .micro_batches = micro_batches};
}

}  // namespace mimus::kernels
