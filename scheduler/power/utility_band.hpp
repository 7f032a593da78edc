// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "scheduler/power/power.hpp"

namespace mimus::scheduler {

/// Auto-scaling of a cluster by the simulator in Pollux's artifact (Qiao et al., OSDI'21): as many
/// nodes are in use as keep the utility of their GPUs within a band. Utility is the sum of the
/// jobs' estimated speedups over one GPU ÷ GPUs of the nodes in use, measured in every round before
/// the planner divides the nodes. If its mean over the last `window` rounds is below `low` or above
/// `high`, the cluster is resized to the number of nodes that brings utility nearest to the middle
/// of the band (nodes_nearest()), and a new window begins. The first round of a window does not
/// count, as in the artifact.
///
/// The first nodes are in use, at the beginning `least_nodes`. Jobs on a node that is taken away
/// leave it by the plan of the same round, and then it sleeps. A node that is added takes `boot`.
///
/// Deviations: the artifact's code fails when it is to value a number of nodes, and its search
/// would by then have made fair shares the unit of speedups, which have no utility of 1; here the
/// unit is one GPU throughout. The artifact has no nodes that fail, which other nodes replace here,
/// and no gangs of a fixed size, for which at least so many nodes stay in use.
class UtilityBand final : public Power {
 public:
  struct Settings {
    double low = 0.35;
    double high = 0.65;
    int window = 15;  ///< rounds
    int least_nodes = 1;
    std::optional<int> most_nodes{};  ///< all, if not stated
    Duration boot{};
  };
  explicit UtilityBand(const Settings& settings) : settings_(settings) {}

  [[nodiscard]] bool weighs() const override { return true; }
  void weigh(const Cluster& cluster, NodeValue& value) override;
  [[nodiscard]] PowerDecision decide(const PowerQuery& query) override;
  [[nodiscard]] Instant observe(const PowerQuery& query) override;

 private:
  struct Range {
    int least = 1, most = 1;
  };
  [[nodiscard]] Range allowed(const Cluster& cluster, int least_gpus) const;
  [[nodiscard]] bool is_outside(Range range);
  [[nodiscard]] std::vector<NodeId> chosen(int nodes, const Cluster& cluster) const;
  void wake(NodeId node, Instant now);

  Settings settings_;
  int nodes_ = 0;                      ///< to be in use; 0 before the first decision
  std::set<NodeId> in_use_;            ///< and nodes that went down since the last round
  std::set<NodeId> asleep_;            ///< ascending
  std::map<NodeId, Instant> booting_;  ///< until then
  std::deque<double> utilities_;       ///< of the last rounds
};

/// The number of nodes from `least` to `most` whose utility is nearest to `target`, found by
/// bisection from `first` on, as more nodes have less utility; of two that are equally near, the
/// larger one.
[[nodiscard]] int nodes_nearest(double target, int least, int most, int first,
                                const std::function<double(int)>& utility);

}  // namespace mimus::scheduler
