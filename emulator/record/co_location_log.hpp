// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "emulator/engine.hpp"
#include "results/recorder.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace mimus::emulator {

/// The key of a measured solo step time. Two allocations of one shape on one GPU type cost the
/// same.
struct BaselineKey {
  std::string model;
  std::string shape;
  int type = 0;  ///< number of the GPU type, so that its name does not affect the order
  std::int64_t per_gpu = 1;
  int accumulation = 1;
  std::string gpu_type;  ///< its name
  auto operator<=>(const BaselineKey&) const = default;
};

/// Records which attempts train beside which others. A period is a stretch in which an attempt has
/// the same co-tenants and batch. Its steps give the slowdown once the solo baseline is known. A
/// recorded run time is its own baseline: each of its windows says how long it takes alone.
class CoLocationLog {
 public:
  CoLocationLog(results::Recorder& recorder, const scheduler::ClusterShape& shape)
      : recorder_(recorder), shape_(shape), on_gpu_(static_cast<std::size_t>(shape.gpus())) {}

  /// Its first step; from then on it is a co-tenant of others.
  void started(const Attempt& attempt, Instant at);
  void progressed(AttemptId attempt, const StepWindow& window);
  void ended(AttemptId attempt, Instant at);

  /// The baselines that shared periods need, each with an allocation to measure it on.
  [[nodiscard]] std::map<BaselineKey, Attempt> needed() const;
  /// Writes the shared periods with at least one complete window that are not written yet; steps of
  /// `solo` in seconds.
  void write(const std::map<BaselineKey, double>& solo) const;

 private:
  struct Period {
    Attempt attempt;
    std::set<AttemptId> beside;
    std::string co_models;
    int co_tenants = 0;  ///< on the GPU that has most
    Instant begin{};
    Instant end{};
    scheduler::BatchPlan batch;
    std::int64_t steps = 0;
    Duration step_time{};  ///< of all its steps together
    Duration modelled{};   ///< of the same steps alone
  };
  struct Present {
    Attempt attempt;
    Instant since{};  ///< present co-tenants hold since
    std::set<AttemptId> beside;
    int co_tenants = 0;           ///< of them on the GPU that has most
    std::vector<Period> periods;  ///< by batch, of the present co-tenants
  };

  void refresh_around(const Attempt& changed, Instant at);
  void close(Present& present, Instant at);
  [[nodiscard]] std::set<AttemptId> neighbours(const Attempt& attempt) const;
  /// The largest number of tenants beside the attempt on any of its GPUs.
  [[nodiscard]] int co_tenants(const Attempt& attempt) const;
  [[nodiscard]] std::string models_of(const std::set<AttemptId>& attempts) const;
  [[nodiscard]] BaselineKey key_of(const Period& period) const;
  [[nodiscard]] results::PairRow row_of(const Period& period,
                                        const std::map<BaselineKey, double>& solo) const;
  /// [s]; 0 if none could be measured.
  [[nodiscard]] double solo_step(const Period& period,
                                 const std::map<BaselineKey, double>& solo) const;

  results::Recorder& recorder_;
  const scheduler::ClusterShape& shape_;
  std::map<AttemptId, Present> present_;
  std::vector<std::vector<AttemptId>> on_gpu_;  ///< by GPU
  std::vector<Period> shared_;                  ///< in the order of their rows
};

}  // namespace mimus::emulator
