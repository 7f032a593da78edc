// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/time.hpp"
#include "base/units.hpp"
#include "scheduler/jobs/allocation.hpp"
#include "scheduler/jobs/gradient_sample.hpp"

namespace mimus::scheduler {

/// What the agent inside a job has measured over equal steps: on the same GPUs, with the same batch
/// and the same co-tenants. It contains only measurements, not modelled step times.
struct JobSample {
  Instant begin{};
  Instant end{};
  std::int64_t steps = 0;
  int gpus = 1;
  int nodes = 1;
  BatchPlan batch;
  Duration step{};            ///< mean optimiser step, with all its micro-batches
  Duration sync{};            ///< part of it spent waiting for gradients after the last kernel
  double noise_scale = 0.0;   ///< φ at the end [samples]
  double samples_done = 0.0;  ///< at the end, at M₀ and over all attempts
  double loss = 0.0;          ///< of training at the end, with the noise of its batches
  double utilisation = 0.0;   ///< share of the time in which kernels were on the device, 0..1
  Bytes memory{};             ///< of a replica on its device
  int co_tenants = 0;         ///< largest number on any of its GPUs
  GradientSample gradients{};

  /// Forward and backward pass of one micro-batch.
  [[nodiscard]] Duration compute() const { return (step - sync) / batch.accumulation; }
  /// An optimiser step of one micro-batch, synchronisation included.
  [[nodiscard]] Duration short_step() const { return compute() + sync; }
};

}  // namespace mimus::scheduler
