// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "emulator/sharing/sharing_law.hpp"

namespace mimus::results {
class Reader;
}

namespace mimus::emulator {

/// The key of a slowdown.
struct TenantPair {
  std::string model;
  std::string beside;      ///< its co-tenant; several are sorted and joined by "+"
  std::int64_t batch = 0;  ///< of the model, per GPU; 0: any
  auto operator<=>(const TenantPair&) const = default;
};
using PairMatrix = std::map<TenantPair, double>;

struct MeasuredPairs {
  PairMatrix on_one_gpu;  ///< beside all co-tenants on one GPU
  PairMatrix of_gangs;    ///< beside co-tenants on any GPU of the gang; batches are known
};

/// Reads the `pairs` of a result file, or the `profile_pairs` of a profile: the mean over
/// co-location periods or batches, weighted by steps, for each batch and over all batches. A gang
/// whose GPUs have different co-tenants is found among the gangs only. Throws IoError, and
/// ConfigError if the file holds no measured pair or the profile is of footprints that have changed
/// or of another GPU type than `gpu`. `models` may be null.
[[nodiscard]] MeasuredPairs read_pairs(const std::string& path,
                                       const workloads::ModelCatalogue* models,
                                       const std::string& gpu);

/// Whether a result file holds pairs that read_pairs() finds.
[[nodiscard]] bool holds_pairs(const results::Reader& run);

/// Measured slowdowns by model, and by its batch if that was measured. With several co-tenants: the
/// entry for all of them together if there is one, else what each adds to the step, 1 + Σ(s − 1).
/// Time slices and the law of `mps` add up in this way, too.
class PairsLaw final : public SharingLaw {
 public:
  /// `otherwise` gives the slowdown of pairs that were not measured; null refuses them.
  PairsLaw(MeasuredPairs pairs, std::unique_ptr<SharingLaw> otherwise)
      : pairs_(std::move(pairs)), otherwise_(std::move(otherwise)) {}

  [[nodiscard]] std::string name() const override;
  /// Throws UsageError naming both models of an unknown pair.
  [[nodiscard]] double slowdown(const GpuTenant& tenant,
                                std::span<const GpuTenant> beside) const override;
  [[nodiscard]] bool measures_gangs() const override { return !pairs_.of_gangs.empty(); }
  [[nodiscard]] std::optional<double> gang_slowdown(
      const GpuTenant& gang, std::span<const std::string_view> beside) const override;

 private:
  [[nodiscard]] const double* find(const GpuTenant& tenant, const std::string& beside) const;
  [[nodiscard]] double pair(const GpuTenant& tenant, const GpuTenant& other) const;

  MeasuredPairs pairs_;
  std::unique_ptr<SharingLaw> otherwise_;
};

[[nodiscard]] Choice<SharingLaw> pairs_choice(const SharingInputs& inputs);

}  // namespace mimus::emulator
