// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "kernels/launch/micro_batch_launches.hpp"
#include "kernels/layers/layer_stage.hpp"
#include "kernels/layers/replica_layout.hpp"
#include "kernels/pytorch/allocation_log.hpp"

namespace mimus::kernels {

/// Forward and backward pass of a model as PyTorch runs them, as far as its allocator is concerned:
/// modules, their variables, autocast and autograd, of which each keeps tensors for a time of its
/// own. After traces of PyTorch 2.11's allocator.
[[nodiscard]] std::vector<AllocationEvent> step_events(const workloads::Model& model,
                                                       const ReplicaLayout& layout,
                                                       const PlanSettings& settings,
                                                       const MicroBatchLaunches& launches);

/// Parameters and buffers of a model as its modules make them. A recurrent layer copies its weights
/// into one array for cuDNN.
[[nodiscard]] std::vector<AllocationEvent> model_allocations(const workloads::Model& model,
                                                             const ParameterLayout& parameters);

}  // namespace mimus::kernels
