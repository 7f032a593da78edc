// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "base/ids.hpp"
#include "base/time.hpp"
#include "scheduler/estimate/solo_profile.hpp"
#include "scheduler/jobs/request_mix.hpp"

namespace mimus::scheduler {

/// The truth about jobs that have arrived, for policies whose paper assumes it. Implemented outside
/// this folder. Results name the choices of a policy that use it.
class Oracle {
 public:
  virtual ~Oracle() = default;
  /// Whole run time with the requested gang and batch, placed as tightly as possible and alone.
  [[nodiscard]] virtual std::optional<Duration> run_time(JobId job) const = 0;
  /// Optimiser steps left at the requested total batch; nothing if the job has no steps.
  [[nodiscard]] virtual std::optional<double> steps_left(JobId job) const = 0;
  /// Time of one step at the requested total batch on `gpus` GPUs, placed as tightly as possible
  /// and alone; nothing if it cannot run on that many.
  [[nodiscard]] virtual std::optional<Duration> step_time(JobId job, int gpus) const = 0;
  /// Maximum number of GPUs on which the job can use the requested total batch.
  [[nodiscard]] virtual int most_gpus(JobId job) const = 0;
};

class ThroughputEstimate;

/// Inputs of a policy besides its parameters. Pointers may be null.
struct PolicyInputs {
  std::shared_ptr<const ThroughputEstimate> throughput;
  std::shared_ptr<const Oracle> oracle;
  std::uint64_t seed = 0;   ///< of choices that draw at random
  SoloProfiles profiles{};  ///< of models on a GPU of the cluster
  RequestMix mix{};         ///< of the workload
};

}  // namespace mimus::scheduler
