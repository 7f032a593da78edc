// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/registry.hpp"
#include "emulator/cell_config.hpp"
#include "emulator/engine.hpp"
#include "workloads/jobs/job.hpp"
#include "workloads/models/model_catalogue.hpp"

namespace mimus::emulator {

/// What a gang has at times of its narrowest link.
struct LinkShare {
  double share = 1.0;        ///< of the bandwidth that the link gives it alone, (0, 1]
  double probability = 1.0;  ///< share of its steps for which it is so
  bool operator==(const LinkShare&) const = default;
};

/// What an attempt shares at present. The default: it runs alone.
struct Surroundings {
  double interference = 1.0;  ///< factor on its compute time by co-tenants of its GPUs, >= 1
  /// Factor on the time of its kernels, >= 1, by co-tenants with whom it takes turns. Meanwhile its
  /// host works on.
  double device_stretch = 1.0;
  std::vector<LinkShare> link_shares{};  ///< probabilities sum to 1; empty: no link is shared
  int gpus_in_use = 0;                   ///< on its fullest node, by any job, including its own
  double core_load = 1.0;                ///< cores asked for ÷ cores of its most loaded node, >= 1
  bool operator==(const Surroundings&) const = default;
};

/// A measured gradient noise scale and its range.
struct MeasuredNoise {
  double scale = 0.0;           ///< φ [samples]
  double until_fraction = 1.0;  ///< of the work, (0, 1]
};

/// One optimiser step.
struct StepCost {
  Duration step{};
  Duration exposed_communication{};
  Duration device_busy{};  ///< per replica
  /// Share of the step for which kernels are on the device, 0..1.
  [[nodiscard]] double utilisation() const {
    return step > Duration{} ? std::min(1.0, to_seconds(device_busy) / to_seconds(step)) : 0.0;
  }
};

/// The cost of a step at the mean pace over `shares`, given its cost with each: with bursts of
/// other gangs that are long against a step, the time is divided among them, not the steps.
template <class CostWith>
[[nodiscard]] StepCost at_mean_pace(const std::vector<LinkShare>& shares, CostWith&& cost_with) {
  if (shares.empty()) return cost_with(1.0);
  if (shares.size() == 1) return cost_with(shares.front().share);
  double pace = 0.0;
  double exposed = 0.0;
  StepCost mean;
  for (const auto& [share, probability] : shares) {
    mean = cost_with(share);
    const double at = probability / to_seconds(mean.step);
    pace += at;
    exposed += at * to_seconds(mean.exposed_communication);
  }
  mean.step = from_seconds(1.0 / pace);
  mean.exposed_communication = from_seconds(exposed / pace);
  return mean;
}

/// The time of a step: the truth of a virtual run. Pure; the engine keeps costs until the
/// allocation, the batch or the surroundings change.
class StepTimeModel {
 public:
  virtual ~StepTimeModel() = default;
  /// For the results, e.g. "duration" or "measured(quickstart.h5)".
  [[nodiscard]] virtual std::string name() const = 0;
  /// True when progress is counted in seconds of recorded run time, so that jobs need no model:
  /// `Attempt::model` is null then and a "step" is one second of undisturbed run time.
  [[nodiscard]] virtual bool counts_run_time() const { return false; }
  /// ConfigError or UsageError, naming the job, when it could never be given a step time.
  virtual void check(const workloads::Job& job) const = 0;
  /// Throws UsageError when the model does not cover this allocation or batch.
  [[nodiscard]] virtual StepCost step(const Attempt& attempt,
                                      const Surroundings& surroundings) const = 0;
  /// Time per step for which the attempt sends through its links while they are its own: those
  /// between nodes if it is on several. Zero when it has none or when the model does not know.
  [[nodiscard]] virtual Duration transfers(const Attempt& attempt) const;
  /// The gradient noise scale at this fraction of the work, if it was measured with the steps;
  /// nothing if the model's own curve holds.
  [[nodiscard]] virtual std::optional<MeasuredNoise> noise_scale(const Attempt& attempt,
                                                                 double fraction) const;
  /// Steps that a measured training with this total batch took from this fraction of the work to
  /// its end; nothing if the noise scale determines them.
  [[nodiscard]] virtual std::optional<double> steps_left(const workloads::Job& job,
                                                         double fraction) const;
  /// Whether jobs on other GPUs of a node slow each other through its host
  /// (Surroundings::gpus_in_use and core_load).
  [[nodiscard]] virtual bool shares_hosts() const { return false; }
};

/// Inputs of the choices.
struct StepTimeInputs {
  ClusterConfig cluster;
  const workloads::ModelCatalogue* models = nullptr;  ///< must outlive the choices
};

/// `duration`, `analytic`, `measured`.
[[nodiscard]] Registry<StepTimeModel> step_time_choices(const StepTimeInputs& inputs);

}  // namespace mimus::emulator
