// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "emulator/engine.hpp"
#include "emulator/record/node_log.hpp"
#include "results/recorder.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace mimus::emulator {

/// Records how full the cluster is between two changes, and how long each GPU was held, shared and
/// busy. A change counts from its own time on, even if the scheduler hears of it later. The number
/// of waiting jobs is as the scheduler knows it. The cost depends on the size of the changed
/// allocation, not of the cluster.
class GpuLog {
 public:
  GpuLog(results::Recorder& recorder, const scheduler::ClusterShape& shape);

  void granted(const scheduler::Allocation& allocation, Instant at);
  void freed(const scheduler::Allocation& allocation, Instant at);
  /// The attempt on it stops or resumes making steps; in between it does not hold its GPUs.
  void suspended(const scheduler::Allocation& allocation, Instant at);
  void resumed(const scheduler::Allocation& allocation, Instant at);
  void node_changed(NodeId node, bool up, Instant at);
  void gpu_lost(Instant at);
  /// The first interval begins at the first arrival.
  void arrived(Instant at) {
    if (!open_since_) open_since_ = at;
  }
  /// `queued` jobs wait from `at` on, and `cluster` is as it was decided.
  void decided(std::size_t queued, const scheduler::Cluster& cluster, Instant at);
  /// Device time of the attempt's replicas in this window.
  void device_worked(const scheduler::Allocation& allocation, const StepWindow& window);
  /// Closes the last interval and writes a row per GPU. `nodes` have been written; `prices` of a
  /// GPU hour by GPU type, none: not stated.
  void write(const NodeLog& nodes, std::span<const double> prices, Instant at);
  /// Until the last change. [s]
  [[nodiscard]] double busy(GpuId gpu) const { return to_seconds(gpus_.at(gpu.index()).busy); }
  [[nodiscard]] double allocated(GpuId gpu) const {
    return to_seconds(gpus_.at(gpu.index()).allocated);
  }

 private:
  struct Gpu {
    int tenants = 0;
    scheduler::MilliGpus share;  ///< of its tenants together
    Instant since{};             ///< with these tenants
    Duration held{};
    Duration shared{};
    Duration allocated{};
    Duration busy{};
    [[nodiscard]] scheduler::MilliGpus share_held() const {
      return std::min(share, scheduler::kWholeGpu);
    }
  };
  /// As many more attempts run on these GPUs, +1 or −1.
  void run(const scheduler::Allocation& allocation, int attempts, Instant at);
  /// Adds this many tenants and this much of their shares.
  void change(GpuId gpu, int tenants, scheduler::MilliGpus share, Instant at);
  /// Writes the interval up to `at`, if any time has passed, and begins the next one.
  void cut(Instant at);

  results::Recorder& recorder_;
  scheduler::ClusterShape shape_;
  std::vector<Gpu> gpus_;
  int gpus_up_ = 0;
  Bytes mean_memory_{};  ///< of a GPU; zero: not stated
  int gpus_held_ = 0;
  scheduler::MilliGpus allocated_;
  double memory_used_ = -1;  ///< in the memory of so many GPUs; -1: not known
  std::int64_t tenants_ = 0;
  std::int64_t queued_ = 0;
  std::int64_t running_ = 0;
  std::int64_t suspended_ = 0;
  std::optional<Instant> open_since_;  ///< from the first arrival or decision on
};

}  // namespace mimus::emulator
