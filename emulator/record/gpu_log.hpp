// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "emulator/engine.hpp"
#include "results/recorder.hpp"
#include "scheduler/cluster.hpp"

namespace mimus::emulator {

/// How full the cluster is between two changes, and how long each GPU was held, shared and busy.
class GpuLog {
 public:
  GpuLog(results::Recorder& recorder, const scheduler::ClusterShape& shape);

  /// The cluster is as given from `at` on.
  void changed(const scheduler::Cluster& cluster, std::size_t queued, std::size_t running,
               Instant at);
  /// Device time of the attempt's replicas in this window.
  void device_worked(const scheduler::Allocation& allocation, const StepWindow& window);
  /// Closes the last interval and writes a row per GPU.
  void write(Instant at);

 private:
  void close(Instant at);

  results::Recorder& recorder_;
  std::vector<results::GpuRow> gpus_;
  std::vector<std::size_t> tenants_;
  results::UtilisationRow open_;
  bool has_open_ = false;
};

}  // namespace mimus::emulator
