// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "emulator/live/engine/device_sink.hpp"
#include "results/recorder.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace mimus::emulator {

/// Records the measurements of physical devices in a cell: the tables device_samples, energy,
/// collectives and kernel_times.
class DeviceRecord : public DeviceSink {
 public:
  /// `collective`: as `engine.collective` names it.
  DeviceRecord(results::Recorder& recorder, const scheduler::ClusterShape& shape,
               std::string collective);

  /// The attribute in which finish() says what devices do not measure; the recorder must have a
  /// place for it.
  [[nodiscard]] static results::LaterAttribute missing_values();

  void take(const DeviceSampleMessage& sample, Instant time) override;
  void take(AttemptId attempt, JobId job, const kernels::DeviceReport& report) override;

  /// Writes the energy of each device, and the attribute missing_values(), from its samples so far.
  /// Later samples, for example from probes of solo step times, do not belong to the cell and are
  /// dropped.
  void finish();

 private:
  struct Watched {
    std::int64_t first_ns = 0;  ///< wall time of its first sample
    double first_energy = 0.0;  ///< counter value at that sample [J]
    DeviceSampleMessage last;
  };
  void add_energy(const Watched& device);

  results::Recorder& recorder_;
  scheduler::ClusterShape shape_;
  std::string collective_;
  std::map<std::int64_t, Watched> watched_;  ///< by first GPU of the cluster
  bool finished_ = false;
};

}  // namespace mimus::emulator
