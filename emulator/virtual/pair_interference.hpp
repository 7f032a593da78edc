// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "emulator/virtual/interference_model.hpp"

namespace mimus::emulator {

/// Slowdowns of models beside models: a model's row, its co-tenant's column. A key may also name
/// several co-tenants, sorted and joined by "+".
using PairMatrix = std::map<std::pair<std::string, std::string>, double>;

/// Reads the `pairs` of a result file, or the `profile_pairs` of a profile: mean over co-location
/// periods or batches, weighted by steps. IoError, or ConfigError when it holds no measured pair or
/// the profile is of footprints that have changed or of another GPU type than `gpu`. `models` may
/// be null.
[[nodiscard]] PairMatrix read_pairs(const std::string& path,
                                    const workloads::ModelCatalogue* models,
                                    const std::string& gpu);

/// Measured slowdowns by model. More than one co-tenant: the entry for all of them together if
/// there is one, else the product of the pairs.
class PairInterference final : public InterferenceModel {
 public:
  /// `otherwise` answers for pairs that were not measured; null to refuse them.
  PairInterference(PairMatrix matrix, std::unique_ptr<InterferenceModel> otherwise)
      : matrix_(std::move(matrix)), otherwise_(std::move(otherwise)) {}

  [[nodiscard]] std::string name() const override { return "pairs"; }
  /// UsageError naming both models of a pair that is not known.
  [[nodiscard]] double slowdown(const Attempt& attempt,
                                std::span<const Attempt* const> beside) const override;

 private:
  [[nodiscard]] double pair(const Attempt& attempt, const Attempt& other) const;

  PairMatrix matrix_;
  std::unique_ptr<InterferenceModel> otherwise_;
};

[[nodiscard]] Choice<InterferenceModel> pairs_choice(const StepTimeInputs& inputs,
                                                     const StepTimeModel& steps);

}  // namespace mimus::emulator
