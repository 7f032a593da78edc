// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "emulator/live/engine/device_sink.hpp"
#include "emulator/live/mpi/mpi_world.hpp"
#include "emulator/live/world/live_cell.hpp"

namespace mimus::emulator {

/// What the workers of a cell report about their devices: their names, and samples of them.
class WorkerDevices {
 public:
  /// `cell` and `sink` must outlive it; of the cell the epoch may be set later. `index`: number of
  /// the cell. `ranks`: of the world.
  WorkerDevices(const LiveCell& cell, int index, int ranks, DeviceSink& sink)
      : cell_(cell), index_(index), sink_(sink), names_(static_cast<std::size_t>(ranks)) {}

  /// The device of every rank, as it reports it; "" for ranks without a device.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  /// GPUs of the cluster that share a device; above 1 times are not those of a cluster.
  [[nodiscard]] int gpus_per_device() const { return gpus_per_device_; }
  /// For CUDA cells: "active" if every worker is served by MPS, otherwise the report of one of the
  /// others.
  [[nodiscard]] const std::string& mps() const { return mps_; }
  /// Why devices that could be sampled are not; each reason once, empty if all are.
  [[nodiscard]] const std::set<std::string>& samples_missing() const { return samples_missing_; }
  /// Ranks that sample a device.
  [[nodiscard]] const std::vector<int>& sampling() const { return sampling_; }

  void take_ready(const Envelope& envelope);
  /// To be called when all are ready. A CUDA device of another type than its GPU of the cluster is
  /// reported, and with several types refused by EnvironmentError: policies would choose types that
  /// jobs do not get.
  void check_types() const;
  /// True for a sample that was asked for. Samples of the cell before are dropped.
  bool take_sample(const Envelope& envelope);
  /// Of samples before the beginning of emulated time only the last one of each rank is taken:
  /// during earlier ones other workers set up.
  void keep_early(const Envelope& sample) { early_[sample.source] = sample; }
  void take_early();
  /// Measurements of the device of an attempt's lead.
  void take_report(AttemptId attempt, JobId job, const kernels::DeviceReport& report) {
    sink_.take(attempt, job, report);
  }
  void lose(int rank) { std::erase(sampling_, rank); }

 private:
  const LiveCell& cell_;
  int index_;
  DeviceSink& sink_;
  std::vector<std::string> names_;
  int gpus_per_device_ = 1;
  std::string mps_;
  std::vector<int> sampling_;
  std::set<std::string> samples_missing_;
  std::map<int, Envelope> early_;  ///< by rank
};

}  // namespace mimus::emulator
