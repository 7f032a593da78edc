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
/// this folder; a policy that asks it is named so in the results.
class Oracle {
 public:
  virtual ~Oracle() = default;
  /// Whole run time on the gang and batch asked for, placed as tightly as possible and alone.
  [[nodiscard]] virtual std::optional<Duration> run_time(JobId job) const = 0;
  /// Optimiser steps left at the total batch asked for; nothing when the job has no steps.
  [[nodiscard]] virtual std::optional<double> steps_left(JobId job) const = 0;
  /// One step at the total batch asked for on `gpus` GPUs, placed as tightly as possible and alone;
  /// nothing when it cannot run on that many.
  [[nodiscard]] virtual std::optional<Duration> step_time(JobId job, int gpus) const = 0;
  /// Most GPUs on which the job can use the total batch asked for.
  [[nodiscard]] virtual int most_gpus(JobId job) const = 0;
};

class ThroughputEstimate;

/// What a policy may be given besides its parameters. Pointers may be null.
struct PolicyInputs {
  std::shared_ptr<const ThroughputEstimate> throughput;
  std::shared_ptr<const Oracle> oracle;
  std::uint64_t seed = 0;   ///< of choices that draw at random
  SoloProfiles profiles{};  ///< of models on a GPU of the cluster
  RequestMix mix{};         ///< of the workload
};

}  // namespace mimus::scheduler
