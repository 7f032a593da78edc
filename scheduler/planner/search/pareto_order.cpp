// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/search/pareto_order.hpp"

#include <algorithm>
#include <limits>

namespace mimus::scheduler {
namespace {

using Front = std::vector<std::size_t>;

/// By cost. A point is dominated by those before it that have no less utility.
std::vector<Front> fronts_of(std::span<const Objectives> points) {
  std::vector<Front> fronts;
  for (std::size_t point = 0; point < points.size(); ++point) {
    const auto front = std::find_if(fronts.begin(), fronts.end(), [&](const Front& members) {
      return points[members.back()].utility < points[point].utility;
    });
    if (front == fronts.end()) {
      fronts.push_back({point});
    } else {
      front->push_back(point);
    }
  }
  return fronts;
}

/// Costs and utilities grow along a front.
std::vector<double> crowding_of(std::span<const Objectives> points, const Front& front) {
  const double costs = points[front.back()].cost - points[front.front()].cost;
  const double utilities = points[front.back()].utility - points[front.front()].utility;
  std::vector<double> crowding(front.size(), std::numeric_limits<double>::infinity());
  for (std::size_t i = 1; i + 1 < front.size(); ++i) {
    const Objectives& before = points[front[i - 1]];
    const Objectives& after = points[front[i + 1]];
    crowding[i] = (after.utility - before.utility) / utilities;
    if (costs > 0.0) crowding[i] += (after.cost - before.cost) / costs;
  }
  return crowding;
}

}  // namespace

std::vector<std::size_t> pareto_order(std::span<const Objectives> points) {
  std::vector<std::size_t> order;
  for (const Front& front : fronts_of(points)) {
    const std::vector<double> crowding = crowding_of(points, front);
    std::vector<std::size_t> members(front.size());
    for (std::size_t i = 0; i < members.size(); ++i) members[i] = i;
    std::stable_sort(members.begin(), members.end(),
                     [&](std::size_t a, std::size_t b) { return crowding[a] > crowding[b]; });
    for (const std::size_t member : members) order.push_back(front[member]);
  }
  return order;
}

}  // namespace mimus::scheduler
