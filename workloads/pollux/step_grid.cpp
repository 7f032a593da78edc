// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/pollux/step_grid.hpp"

#include <algorithm>

namespace mimus::workloads {
namespace {

/// Uses the order of operations of scipy's interp1d, so that replays agree to the last bit.
StepTiming between(double x0, const StepTiming& y0, double x1, const StepTiming& y1, double x) {
  const double run = x1 - x0;
  return {(y1.step - y0.step) / run * (x - x0) + y0.step,
          (y1.sync - y0.sync) / run * (x - x0) + y0.sync,
          (y1.busy - y0.busy) / run * (x - x0) + y0.busy};
}

/// Interpolates in a map from a coordinate to values that `value` converts to timings.
template <class Map, class Value>
std::optional<StepTiming> interpolate(const Map& map, double x, Value&& value) {
  if (map.empty() || x < map.begin()->first || x > map.rbegin()->first) return std::nullopt;
  auto high = map.lower_bound(x);
  if (map.size() == 1) return value(high->second);
  if (high == map.begin()) ++high;
  const auto low = std::prev(high);
  if (x == high->first) return value(high->second);
  if (x == low->first) return value(low->second);
  const auto y0 = value(low->second);
  const auto y1 = value(high->second);
  if (!y0 || !y1) return std::nullopt;
  return between(low->first, *y0, high->first, *y1, x);
}

}  // namespace

std::optional<StepTiming> timing_at(const TimingLine& line, double per_gpu_batch) {
  if (line.empty() || per_gpu_batch < line.begin()->first || per_gpu_batch > line.rbegin()->first) {
    return std::nullopt;
  }
  if (line.size() == 1) return line.begin()->second;
  const auto high = std::max(line.lower_bound(per_gpu_batch), std::next(line.begin()),
                             [](const auto& a, const auto& b) { return a->first < b->first; });
  const auto low = std::prev(high);
  return between(low->first, low->second, high->first, high->second, per_gpu_batch);
}

void StepGrid::add(int nodes, int replicas, double per_gpu_batch, StepTiming timing) {
  Cell& cell = by_nodes_[nodes][replicas][per_gpu_batch];
  cell.sum.step += timing.step;
  cell.sum.sync += timing.sync;
  cell.sum.busy += timing.busy;
  ++cell.count;
}

std::optional<StepTiming> StepGrid::on_line(const Line& line, double per_gpu_batch) {
  return interpolate(line, per_gpu_batch, [](const Cell& cell) {
    return std::optional<StepTiming>(
        {cell.sum.step / cell.count, cell.sum.sync / cell.count, cell.sum.busy / cell.count});
  });
}

std::optional<StepTiming> StepGrid::on_nodes(const Replicas& lines, double replicas,
                                             double per_gpu_batch) {
  return interpolate(lines, replicas,
                     [&](const Line& line) { return on_line(line, per_gpu_batch); });
}

std::optional<StepTiming> StepGrid::at(int nodes, int replicas, double per_gpu_batch) const {
  if (by_nodes_.empty()) return std::nullopt;
  const double asked = std::min(static_cast<double>(nodes), by_nodes_.rbegin()->first);
  const double per_node = static_cast<double>(replicas) / asked;
  auto high = by_nodes_.lower_bound(asked);
  if (high->first == asked) return on_nodes(high->second, replicas, per_gpu_batch);
  if (high == by_nodes_.begin()) return std::nullopt;
  const auto low = std::prev(high);
  const auto y0 = on_nodes(low->second, per_node * low->first, per_gpu_batch);
  const auto y1 = on_nodes(high->second, per_node * high->first, per_gpu_batch);
  if (!y0 || !y1) return std::nullopt;
  return between(low->first, *y0, high->first, *y1, asked);
}

}  // namespace mimus::workloads
