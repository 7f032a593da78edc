// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <tuple>

#include "emulator/cell_config.hpp"
#include "emulator/virtual/steps/step_time_model.hpp"
#include "workloads/jobs/run_times.hpp"

namespace mimus::emulator {

/// Rates of gangs that are alone on a cluster, packed as tightly as possible: by its step times,
/// and by the footprint model if these do not cover a gang.
class PackedRates final : public workloads::TrainingRates {
 public:
  using MakeSteps = std::function<std::unique_ptr<StepTimeModel>()>;

  /// Step times are created when a rate is first needed. `models` must outlive this object.
  PackedRates(ClusterConfig cluster, const workloads::ModelCatalogue& models, MakeSteps make_steps);
  /// The footprint model's step times.
  PackedRates(const ClusterConfig& cluster, const workloads::ModelCatalogue& models);

  /// Throws UsageError for a model that cannot be split as its name says.
  [[nodiscard]] double samples_per_second(const workloads::Model& model, int gang,
                                          std::int64_t total_batch) const override;

 private:
  using Key = std::tuple<const workloads::Model*, int, std::int64_t>;

  [[nodiscard]] double rate_of(const workloads::Model& model, int gang,
                               std::int64_t total_batch) const;
  [[nodiscard]] Duration step_of(const Attempt& attempt) const;

  ClusterConfig cluster_;
  const workloads::ModelCatalogue& models_;
  MakeSteps make_steps_;
  mutable std::unique_ptr<StepTimeModel> steps_, footprint_;  ///< null until they are needed
  mutable std::map<Key, double> known_;
};

}  // namespace mimus::emulator
