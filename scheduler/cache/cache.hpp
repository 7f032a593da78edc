// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/registry.hpp"
#include "scheduler/estimate/oracle.hpp"
#include "scheduler/jobs/job_view.hpp"

namespace mimus::scheduler {

struct CacheQuery {
  std::span<const JobView* const> readers;  ///< jobs that hold GPUs and read a data set, by id
  Bytes capacity{};                         ///< of all nodes together
  Instant now;
};

struct CacheDecision {
  /// Resident bytes by name, together at most the capacity. Data that are missing are loaded as
  /// jobs read them; other data are dropped at once.
  std::vector<KeptData> kept;
  Instant next = kNever;  ///< latest instant of the next question, after the present
};

/// Decides which data are resident. Tenants are virtual clusters.
class Cache {
 public:
  virtual ~Cache() = default;
  /// False if nothing is ever kept. The other functions are then not called.
  [[nodiscard]] virtual bool acts() const { return true; }
  /// Called after every pass over the queue.
  [[nodiscard]] virtual CacheDecision decide(const CacheQuery& query) = 0;
  /// Weight of the tenant, by which its share of the cache is judged.
  [[nodiscard]] virtual double weight(const std::string& /*tenant*/) const { return 1.0; }
};

/// `inputs` are captured by the choices that need them.
[[nodiscard]] Registry<Cache> cache_choices(const PolicyInputs& inputs);

}  // namespace mimus::scheduler
