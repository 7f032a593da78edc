// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "emulator/replay/pollux_oracle.hpp"
#include "emulator/replay/pollux_replay_engine.hpp"
#include "workloads/models/model_catalogue.hpp"

namespace mimus::emulator::test {

/// Folder of the measured profiles, or nothing when the shared data are absent.
[[nodiscard]] std::optional<std::string> pollux_folder();

/// One line of a workload file.
struct TraceJob {
  JobId id;
  const workloads::PolluxApplication* application = nullptr;
  std::int64_t submit = 0;  ///< s
  int gpus = 1;
  std::int64_t batch = 1;
};
[[nodiscard]] std::vector<TraceJob> read_trace(const std::string& folder, int number);

/// Whom a policy gives which nodes: one entry per replica, in rank order.
using NodeLists = std::map<JobId, std::vector<int>>;

/// A policy that is asked once per round.
class RoundPolicy {
 public:
  virtual ~RoundPolicy() = default;
  /// `jobs`: those that have been submitted and not completed, in order of submission.
  [[nodiscard]] virtual NodeLists decide(const std::vector<const TraceJob*>& jobs,
                                         const NodeLists& now) = 0;
};

/// The artifact's cluster of 16 nodes with 4 GPUs, driven round by round through the Engine seam.
class PolluxCluster {
 public:
  /// `profiles` must outlive the cluster.
  explicit PolluxCluster(const workloads::PolluxProfiles& profiles);

  struct Result {
    double average_jct = 0.0;   ///< s
    std::int64_t makespan = 0;  ///< s from 0
  };
  [[nodiscard]] Result run(const std::vector<TraceJob>& trace, RoundPolicy& policy);
  /// The truth about the jobs of `trace` while they run here. Both must outlive the oracle.
  [[nodiscard]] PolluxOracle oracle(const std::vector<TraceJob>& trace);

  static constexpr int kNodes = 16;
  static constexpr int kGpusPerNode = 4;

 private:
  void apply(const NodeLists& wanted, const std::map<JobId, const TraceJob*>& jobs);
  void start(const TraceJob& job, const std::vector<int>& nodes);
  void take(const std::vector<TimedEvent>& happened);

  workloads::ModelCatalogue models_ = workloads::ModelCatalogue::built_in();
  const workloads::PolluxProfiles& profiles_;
  ClusterConfig cluster_;
  std::vector<workloads::Job> truths_;
  std::unique_ptr<PolluxReplayEngine> engine_;
  NodeLists held_;
  std::map<JobId, AttemptId> attempts_;
  std::map<AttemptId, JobId> jobs_of_;
  std::map<JobId, Instant> completed_;
  std::int64_t next_attempt_ = 0;
};

/// Takes `gpus` GPUs from the nodes with the most free ones, lowest index first among equals.
[[nodiscard]] std::vector<int> take_most_free(std::vector<int>& free, int gpus);
/// Free GPUs per node beside `held`.
[[nodiscard]] std::vector<int> free_beside(const NodeLists& held);

}  // namespace mimus::emulator::test
