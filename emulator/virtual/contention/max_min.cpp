// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/virtual/contention/max_min.hpp"

#include <algorithm>
#include <limits>

namespace mimus::emulator {
namespace {

class Filling {
 public:
  Filling(std::span<const double> demands, std::span<const SharedLink> links)
      : demands_(demands), links_(links), rates_(demands.size(), -1.0), used_(links.size(), 0.0) {}

  std::vector<double> run() {
    while (true) {
      const double level = next_level();
      if (level == std::numeric_limits<double>::infinity()) return rates_;
      const auto full = links_full_at(level);
      for (std::size_t flow = 0; flow < demands_.size(); ++flow) {
        if (!stopped(flow) && demands_[flow] <= level) rates_[flow] = demands_[flow];
      }
      for (const std::size_t link : full) {
        for (const std::size_t flow : links_[link].flows) {
          if (!stopped(flow)) rates_[flow] = level;
        }
      }
      recount();
    }
  }

 private:
  [[nodiscard]] bool stopped(std::size_t flow) const { return rates_[flow] >= 0.0; }

  /// The rate that every flow that still grows could get on this link.
  [[nodiscard]] double level_of(std::size_t link) const {
    const auto& flows = links_[link].flows;
    const auto growing =
        std::count_if(flows.begin(), flows.end(), [&](std::size_t flow) { return !stopped(flow); });
    if (growing == 0) return std::numeric_limits<double>::infinity();
    return std::max(0.0, (links_[link].capacity - used_[link]) / static_cast<double>(growing));
  }

  /// The lowest level at which a flow stops growing.
  [[nodiscard]] double next_level() const {
    double level = std::numeric_limits<double>::infinity();
    for (std::size_t link = 0; link < links_.size(); ++link) {
      level = std::min(level, level_of(link));
    }
    for (std::size_t flow = 0; flow < demands_.size(); ++flow) {
      if (!stopped(flow)) level = std::min(level, demands_[flow]);
    }
    return level;
  }

  [[nodiscard]] std::vector<std::size_t> links_full_at(double level) const {
    std::vector<std::size_t> full;
    for (std::size_t link = 0; link < links_.size(); ++link) {
      if (level_of(link) <= level) full.push_back(link);
    }
    return full;
  }

  /// Summed again and in order, so that the result does not depend on when flows stopped.
  void recount() {
    for (std::size_t link = 0; link < links_.size(); ++link) {
      used_[link] = 0.0;
      for (const std::size_t flow : links_[link].flows) used_[link] += std::max(0.0, rates_[flow]);
    }
  }

  std::span<const double> demands_;
  std::span<const SharedLink> links_;
  std::vector<double> rates_;  ///< negative while the flow grows
  std::vector<double> used_;   ///< per link, by flows that have stopped
};

}  // namespace

std::vector<double> max_min_rates(std::span<const double> demands,
                                  std::span<const SharedLink> links) {
  return Filling(demands, links).run();
}

}  // namespace mimus::emulator
