// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "scheduler/fit/throughput_model.hpp"

namespace mimus::scheduler {

/// What a job has measured on one kind of placement with one batch. Times in seconds, > 0.
struct StepSample {
  int nodes = 1;
  int replicas = 1;
  std::int64_t per_gpu_batch = 1;
  double compute = 0.0;  ///< forward and backward pass of one micro-batch
  double step = 0.0;     ///< optimiser step without accumulation, synchronisation included
};

/// The model that fits the samples best (Pollux, §4.1 and its artifact's fit_perf_params): the sum
/// of the root mean square errors of ln(compute) and ln(step), plus 1e-3·(γ−1)² and
/// 1e-2·[(β_n/α_n)² + (β_r/α_r)²], over α, β ≥ 1e-8 and 1 ≤ γ ≤ 10. What no sample tells is set so
/// that more GPUs look perfect until they have been tried: with one batch size α_c is half the mean
/// compute time, without several nodes α_n and β_n are 1e-8 and afterwards at least 1.1 times the
/// local ones, without several replicas on one node α_r and β_r are 1e-8, without more than two
/// replicas β_n and β_r are. InternalError without samples.
[[nodiscard]] ThroughputModel fit_throughput(std::span<const StepSample> samples);

/// What minimises, as built: "L-BFGS-B 3.0", the artifact's optimiser from its starting point, or
/// "own descent", which goes on in flat directions where that one stops.
[[nodiscard]] const char* fit_method();

/// The objective above.
[[nodiscard]] double fit_error(const ThroughputModel& model, std::span<const StepSample> samples);

}  // namespace mimus::scheduler
