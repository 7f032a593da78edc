// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "emulator/cell_config.hpp"
#include "emulator/data/fair_rates.hpp"
#include "emulator/data/tenant_reading.hpp"
#include "emulator/engine.hpp"
#include "scheduler/jobs/data_need.hpp"
#include "workloads/jobs/job.hpp"

namespace mimus::emulator {

struct DataPathSettings {
  DataConfig links;
  std::function<Duration(const Attempt&)> solo_step;  ///< while no sample is waited for
};

/// How fast jobs read their data sets, in both engines.
///
/// An epoch of a model reads each byte of its data set once, in random order. If the share r of a
/// set is resident, a gang that reads R bytes/s takes (1 − r)·R from storage; resident data take no
/// time. Links are shared fairly (fair_rates()): a gang requests what it needs to make its steps as
/// fast as alone. It reads ahead, so a step takes as long as the slower of computing and reading.
/// Data from storage become resident, up to what the cache keeps. The share counts as constant
/// while a sixteenth of the set comes in.
class DataPaths {
 public:
  /// `shape` must outlive it.
  DataPaths(const scheduler::ClusterShape& shape, DataPathSettings settings);

  /// The rate at which a gang reads if it never waits for a sample. [B/s]
  [[nodiscard]] double full_rate(const Attempt& attempt, const workloads::Job& job) const;

  /// It has GPUs. Then it begins to make steps, or stops it, any number of times, and leaves.
  void place(const Attempt& attempt, const workloads::Job& job);
  void begin(AttemptId attempt, Instant at);
  void stop(AttemptId attempt, Instant at);
  void leave(AttemptId attempt, Instant at);
  void retune(AttemptId attempt, const scheduler::BatchPlan& batch, Instant at);
  /// What the cache keeps from now on.
  void keep(const std::vector<scheduler::KeptData>& kept, Instant at);

  /// The instant of the next change of rates if nothing else happens.
  [[nodiscard]] Instant next() const { return next_; }
  struct Change {
    AttemptId attempt;
    double samples_per_second;  ///< kNoLimit: it does not wait for samples
  };
  /// Attempts whose rates have changed since the last call, ascending.
  [[nodiscard]] std::vector<Change> update(Instant now);

  /// By virtual cluster, up to `at`.
  [[nodiscard]] const std::map<std::string, TenantReading>& tenants(Instant at);

 private:
  struct Set {
    double size = 0.0;  ///< likewise the others [B]
    double kept = 0.0;
    double resident = 0.0;
    double coming = 0.0;  ///< from storage [B/s]
    [[nodiscard]] double share() const { return resident / size; }
  };
  struct Reader {
    Attempt attempt;
    std::string tenant;
    Set* set = nullptr;
    double sample = 0.0;  ///< [B]
    ReadDemand full;
    bool reads = false;
    double rate = 0.0;      ///< at present [B/s]
    double uncached = 0.0;  ///< what it would be if nothing were resident
    double told = kNoLimit;
  };

  void settle(Instant at);
  void set_full_rate(Reader& reader) const;
  [[nodiscard]] std::vector<Reader*> readers();
  [[nodiscard]] std::vector<double> rates_of(const std::vector<Reader*>& readers,
                                             bool with_cache) const;
  void share_out(const std::vector<Reader*>& readers);
  void judge(const std::vector<Reader*>& readers);
  [[nodiscard]] Instant next_change(Instant now) const;

  const scheduler::ClusterShape& shape_;
  DataPathSettings settings_;
  std::map<std::string, Set> sets_;
  std::map<AttemptId, Reader> readers_;
  std::map<std::string, TenantReading> tenants_;
  Instant settled_{};
  Instant next_ = kNever;
  bool changed_ = false;
};

}  // namespace mimus::emulator
