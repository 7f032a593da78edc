// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "emulator/sharing/sharing_law.hpp"

namespace mimus::emulator {

/// Which slowdown.
struct TenantPair {
  std::string model;
  std::string beside;      ///< its co-tenant; several are sorted and joined by "+"
  std::int64_t batch = 0;  ///< of the model, per GPU; 0: whatever it is
  auto operator<=>(const TenantPair&) const = default;
};
using PairMatrix = std::map<TenantPair, double>;

/// Reads the `pairs` of a result file, or the `profile_pairs` of a profile: mean over co-location
/// periods or batches, weighted by steps; of every batch, and of each. IoError, or ConfigError when
/// it holds no measured pair or the profile is of footprints that have changed or of another GPU
/// type than `gpu`. `models` may be null.
[[nodiscard]] PairMatrix read_pairs(const std::string& path,
                                    const workloads::ModelCatalogue* models,
                                    const std::string& gpu);

/// Measured slowdowns by model, and by its batch where that was measured. More than one co-tenant:
/// the entry for all of them together if there is one, else the product of the pairs.
class PairsLaw final : public SharingLaw {
 public:
  /// `otherwise` answers for pairs that were not measured; null to refuse them.
  PairsLaw(PairMatrix matrix, std::unique_ptr<SharingLaw> otherwise)
      : matrix_(std::move(matrix)), otherwise_(std::move(otherwise)) {}

  [[nodiscard]] std::string name() const override;
  /// UsageError naming both models of a pair that is not known.
  [[nodiscard]] double slowdown(const GpuTenant& tenant,
                                std::span<const GpuTenant> beside) const override;

 private:
  [[nodiscard]] const double* find(const GpuTenant& tenant, const std::string& beside) const;
  [[nodiscard]] double pair(const GpuTenant& tenant, const GpuTenant& other) const;

  PairMatrix matrix_;
  std::unique_ptr<SharingLaw> otherwise_;
};

[[nodiscard]] Choice<SharingLaw> pairs_choice(const SharingInputs& inputs);

}  // namespace mimus::emulator
