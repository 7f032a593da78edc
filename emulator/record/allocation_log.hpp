// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "results/recorder.hpp"
#include "scheduler/placement/nodes/fragmentation.hpp"
#include "workloads/jobs/job.hpp"

namespace mimus::emulator {

/// Records how much is allocated and fragmented as jobs request more and more of the cluster: a row
/// for each hundredth of it. Updates only nodes that have changed.
class AllocationLog {
 public:
  /// Of the most frequent kinds of `mix`. The cluster and the recorder must outlive it.
  AllocationLog(const scheduler::Cluster& cluster, std::vector<scheduler::RequestCount> mix,
                results::Recorder& recorder);

  void arrived(const workloads::Job& job);
  void rejected() { ++row_.rejected; }
  /// After a decision.
  void decided(Instant at);
  /// At the end of the cell.
  void write(Instant at);

 private:
  void see(NodeId node);
  void record(Instant at);

  const scheduler::Cluster& cluster_;
  scheduler::Fragmentation fragmentation_;
  results::Recorder& recorder_;
  results::AllocationRow row_;
  double next_ = 0.0;  ///< GPUs requested at which the next row is due
  struct Node {
    std::int64_t left = 0;    ///< of its GPUs [milli]
    double fragmented = 0.0;  ///< [milli]
    bool is_stale = true;
  };
  std::vector<Node> nodes_;
  std::uint64_t seen_ = 0;  ///< changes of the cluster
};

}  // namespace mimus::emulator
