// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "kernels/footprint/power_draw.hpp"
#include "results/recorder.hpp"
#include "scheduler/cluster/cluster.hpp"
#include "scheduler/jobs/node_power.hpp"

namespace mimus::emulator {

/// Records when nodes slept, booted, were down or in quarantine, and how long each was used.
class NodeLog {
 public:
  NodeLog(results::Recorder& recorder, const scheduler::ClusterShape& shape);

  void granted(const scheduler::Allocation& allocation, Instant at);
  void freed(const scheduler::Allocation& allocation, Instant at);
  void changed(const scheduler::NodePowerChange& change, Instant at);
  void went_down(NodeId node, bool down, Instant at);
  void quarantined(NodeId node, bool begins, Instant at);
  /// Of a GPU type, by its number; null where energy is not known.
  using DrawOf = std::function<const kernels::PowerDraw*(int)>;
  /// Ends all spans and writes a row per node.
  void write(const DrawOf& draw_of, Instant at);

  /// Of the spans that have ended.
  [[nodiscard]] Duration asleep(NodeId node) const { return nodes_.at(node.index()).asleep; }

 private:
  struct Node {
    scheduler::NodePower state = scheduler::NodePower::on;
    Instant since{};
    Duration on{}, booting{}, asleep{};
    Instant down_since = kNever;
    Instant quarantined_since = kNever;
    int tenants = 0;
    Instant used_since{};  ///< while it has tenants
    Duration used{};
    int boots = 0;
  };
  void end_span(NodeId id, Instant at);
  /// Writes the span of a state that began at `since`, unless it is empty.
  void write_span(NodeId id, const char* state, Instant since, Instant at);
  /// Begins or ends a span beside those of power.
  void toggle(NodeId id, const char* state, Instant& since, bool begins, Instant at);
  /// Once for each place that it has there.
  template <class Change>
  void each_node(const scheduler::Allocation& allocation, Change&& change);

  results::Recorder& recorder_;
  scheduler::ClusterShape shape_;
  std::vector<Node> nodes_;
};

}  // namespace mimus::emulator
