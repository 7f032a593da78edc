// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/data/fair_rates.hpp"

#include <algorithm>
#include <map>

namespace mimus::emulator {
namespace {

/// Levels this close are reached together. Otherwise rounding could leave a full link open.
constexpr double kSameLevel = 1.0 + 1e-12;

struct Link {
  double left = kNoLimit;  ///< of its bandwidth, for those that still rise
  double rising = 0.0;     ///< replicas
  [[nodiscard]] double level() const { return rising > 0.0 ? left / rising : kNoLimit; }
};

/// The storage is the link of no node.
class Filling {
 public:
  Filling(std::span<const ReadDemand> demands, double storage, double node_link)
      : demands_(demands), rates_(demands.size(), 0.0), rises_(demands.size(), true) {
    links_[NodeId{}].left = storage;
    for (const ReadDemand& demand : demands) {
      for (const auto& [node, replicas] : demand.replicas) links_[node].left = node_link;
      for_links(demand, [](Link& link, int replicas) { link.rising += replicas; });
    }
  }

  /// The level of a link only rises when somebody stops below it, so that all who ask for less may
  /// stop at once.
  std::vector<double> run() {
    double last = 0.0;
    for (std::size_t left = demands_.size(); left > 0;) {
      double level = kNoLimit;
      for (const auto& [node, link] : links_) level = std::min(level, link.level());
      level = last = std::max(level, last);  // despite rounding
      std::size_t stopped = stop_all([&](const ReadDemand& demand) {
        return asked(demand) <= level * kSameLevel ? asked(demand) : kNoLimit;
      });
      if (stopped == 0) {
        stopped = stop_all([&](const ReadDemand& demand) {
          return is_held(demand, level * kSameLevel) ? level : kNoLimit;
        });
      }
      left -= stopped;
    }
    return rates_;
  }

 private:
  static int size_of(const ReadDemand& demand) {
    int all = 0;
    for (const auto& [node, replicas] : demand.replicas) all += replicas;
    return all;
  }
  static double asked(const ReadDemand& demand) { return demand.rate / size_of(demand); }

  template <class Act>
  void for_links(const ReadDemand& demand, Act&& act) {
    act(links_.at(NodeId{}), size_of(demand));
    for (const auto& [node, replicas] : demand.replicas) act(links_.at(node), replicas);
  }

  /// By a link that is full at this level.
  bool is_held(const ReadDemand& demand, double level) {
    bool held = false;
    for_links(demand, [&](const Link& link, int) { held = held || link.level() <= level; });
    return held;
  }

  /// `level_of`: at which it stops, or kNoLimit. Returns how many do.
  template <class LevelOf>
  std::size_t stop_all(LevelOf&& level_of) {
    std::vector<std::pair<std::size_t, double>> stopped;
    for (std::size_t i = 0; i < demands_.size(); ++i) {
      const double level = rises_[i] ? level_of(demands_[i]) : kNoLimit;
      if (level < kNoLimit) stopped.emplace_back(i, level);
    }
    for (const auto& [i, level] : stopped) stop(i, level);
    return stopped.size();
  }

  void stop(std::size_t i, double level) {
    rises_[i] = false;
    rates_[i] = std::min(demands_[i].rate, level * size_of(demands_[i]));
    for_links(demands_[i], [&](Link& link, int replicas) {
      link.left = std::max(0.0, link.left - level * replicas);
      link.rising -= replicas;
    });
  }

  std::span<const ReadDemand> demands_;
  std::vector<double> rates_;
  std::vector<bool> rises_;
  std::map<NodeId, Link> links_;
};

}  // namespace

std::vector<double> fair_rates(std::span<const ReadDemand> demands, double storage,
                               double node_link) {
  return Filling(demands, storage, node_link).run();
}

}  // namespace mimus::emulator
