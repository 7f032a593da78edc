// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/cache/view_sets.hpp"

#include <algorithm>
#include <numeric>
#include <set>

namespace mimus::scheduler {
namespace {

constexpr std::size_t kMostListedViews = 12;
constexpr double kByteRounding = 1.0 + 1e-9;

/// What does not fit is passed over, so that no other view fits into what is left.
ViewSet filled(const std::vector<View>& views, double capacity, const std::vector<double>& worth) {
  std::vector<std::size_t> order(views.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return worth[a] * views[b].size > worth[b] * views[a].size;
  });
  const auto fill = [&](double left) {
    ViewSet set;
    for (const std::size_t view : order) {
      if (views[view].size > left * kByteRounding) continue;
      left -= views[view].size;
      set.push_back(view);
    }
    return set;
  };
  const auto value = [&](const ViewSet& set) {
    return std::accumulate(set.begin(), set.end(), 0.0,
                           [&](double sum, std::size_t view) { return sum + worth[view]; });
  };
  ViewSet best = fill(capacity);
  // The best view alone may be worth more; then what fits beside it.
  const auto largest =
      static_cast<std::size_t>(std::max_element(worth.begin(), worth.end()) - worth.begin());
  std::erase(order, largest);
  ViewSet other = fill(capacity - views[largest].size);
  other.push_back(largest);
  if (value(other) > value(best)) best = std::move(other);
  std::sort(best.begin(), best.end());
  return best;
}

std::vector<ViewSet> all_sets(const std::vector<View>& views, double capacity) {
  const auto size_of = [&](unsigned set) {
    double size = 0.0;
    for (std::size_t i = 0; i < views.size(); ++i) size += (set >> i & 1U) * views[i].size;
    return size;
  };
  std::vector<ViewSet> sets;
  for (unsigned set = 0; set < 1U << views.size(); ++set) {
    if (size_of(set) > capacity * kByteRounding) continue;
    ViewSet members;
    bool more_fits = false;
    for (std::size_t i = 0; i < views.size(); ++i) {
      const bool is_in = (set >> i & 1U) != 0;
      if (is_in) members.push_back(i);
      more_fits = more_fits || (!is_in && size_of(set | 1U << i) <= capacity * kByteRounding);
    }
    if (!more_fits) sets.push_back(std::move(members));
  }
  return sets;
}

}  // namespace

std::vector<ViewSet> view_sets(const std::vector<View>& views, double capacity, int draws,
                               RandomStream random) {
  if (views.size() <= kMostListedViews) return all_sets(views, capacity);
  const std::size_t tenants = views.front().benefits.size();
  std::set<ViewSet> found;
  std::vector<double> best(tenants, 0.0), worth(views.size());
  for (std::size_t i = 0; i < tenants; ++i) {
    for (std::size_t v = 0; v < views.size(); ++v) worth[v] = views[v].benefits[i];
    const ViewSet alone = filled(views, capacity, worth);
    for (const std::size_t view : alone) best[i] += worth[view];
    found.insert(alone);
  }
  for (int draw = 0; draw < draws; ++draw) {
    std::fill(worth.begin(), worth.end(), 0.0);
    for (std::size_t i = 0; i < tenants; ++i) {
      const double weight = random.exponential(1.0) / best[i];
      for (std::size_t v = 0; v < views.size(); ++v) worth[v] += weight * views[v].benefits[i];
    }
    found.insert(filled(views, capacity, worth));
  }
  return {found.begin(), found.end()};
}

}  // namespace mimus::scheduler
