// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <vector>

#include "emulator/virtual/batch_agent.hpp"
#include "scheduler/fit/throughput_fit.hpp"

namespace mimus::emulator {

/// The agent of Pollux (OSDI'21, §4.1) as its simulator runs it: fits the throughput model anew
/// whenever a kind of placement or a batch is seen for the first time, and takes the batch with the
/// greatest goodput after every stretch. Before the first fit: M0, or the smallest batch that gives
/// every replica its least.
class PolluxBatchAgent final : public BatchAgent {
 public:
  void observe(const AgentObservation& observation) override;
  [[nodiscard]] std::optional<scheduler::BatchPlan> choose(
      JobId job, const workloads::PolluxApplication& application, int nodes, int replicas) override;

  /// What it has learnt about one job.
  struct Knowledge {
    std::vector<scheduler::StepSample> samples;
    scheduler::ThroughputModel model;
    double noise_scale = 0.0;  ///< φ of the last stretch [samples]
    int most_replicas = 0;     ///< that it has been seen with
  };
  /// nullptr before the first observation.
  [[nodiscard]] const Knowledge* of(JobId job) const;

 private:
  std::map<JobId, Knowledge> known_;
};

}  // namespace mimus::emulator
