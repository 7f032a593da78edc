// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "scheduler/cache/cache.hpp"
#include "scheduler/cache/view_sets.hpp"

namespace mimus::scheduler {

/// ROBUS (Kunjir et al., SIGMOD'17), reconstructed from its abstract: tenants share one cache. In
/// each epoch its content is drawn by a lottery over sets of data sets that fit.
///
/// The value of a set for a tenant, Uᵢ(S), is the amount that the tenant's running jobs read of it
/// per second, as profiled: the reading from storage that they are spared. Vᵢ(S) = Uᵢ(S) ÷ max Uᵢ.
/// The lottery is the proportionally fair one; `utilitarian` takes the set with the largest Σ Uᵢ
/// instead. Jobs that begin within an epoch count from the next one on. Data that were resident
/// before stay where the drawn set leaves room. A data set larger than the cache counts as one of
/// the cache's size.
class Robus final : public Cache {
 public:
  enum class Objective { proportional, utilitarian };
  struct Settings {
    Duration epoch = std::chrono::seconds(40);
    Objective objective = Objective::proportional;
    std::map<std::string, double> weights;  ///< of virtual clusters; 1 of others
    int draws = 0;                          ///< 0: five times the square of the number of tenants
  };
  Robus(Settings settings, std::uint64_t seed)
      : settings_(std::move(settings)), lots_(seed, "robus") {}

  [[nodiscard]] CacheDecision decide(const CacheQuery& query) override;
  [[nodiscard]] double weight(const std::string& tenant) const override;

 private:
  struct Epoch;
  [[nodiscard]] std::size_t drawn(const Epoch& epoch, const std::vector<ViewSet>& sets,
                                  RandomStream random) const;
  void keep(const Epoch& epoch, const ViewSet& set, double capacity);

  Settings settings_;
  NumberedStreams lots_;
  Instant end_{};                       ///< end of the present epoch
  std::map<std::string, double> kept_;  ///< bytes
};

}  // namespace mimus::scheduler
