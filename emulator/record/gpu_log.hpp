// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

#include "emulator/engine.hpp"
#include "results/recorder.hpp"
#include "scheduler/cluster.hpp"

namespace mimus::emulator {

/// How full the cluster is between two changes, and how long each GPU was held, shared and busy.
/// Costs the size of the allocation that changes, not of the cluster.
class GpuLog {
 public:
  GpuLog(results::Recorder& recorder, const scheduler::ClusterShape& shape);

  void granted(const scheduler::Allocation& allocation, Instant at);
  void freed(const scheduler::Allocation& allocation, Instant at);
  void node_changed(NodeId node, bool up);
  /// As many jobs wait and run from `at` on; closes the interval before.
  void decided(std::size_t queued, std::size_t running, Instant at);
  /// Device time of the attempt's replicas in this window.
  void device_worked(const scheduler::Allocation& allocation, const StepWindow& window);
  /// Closes the last interval and writes a row per GPU.
  void write(Instant at);

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
  /// So many more tenants, who hold so much more together.
  void change(GpuId gpu, int tenants, scheduler::MilliGpus share, Instant at);
  void close(Instant at);

  results::Recorder& recorder_;
  scheduler::ClusterShape shape_;
  std::vector<Gpu> gpus_;
  int gpus_up_ = 0;
  int gpus_held_ = 0;
  scheduler::MilliGpus allocated_;
  std::int64_t tenants_ = 0;
  results::UtilisationRow open_;
  bool has_open_ = false;
};

}  // namespace mimus::emulator
