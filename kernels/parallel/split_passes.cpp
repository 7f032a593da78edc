// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/parallel/split_passes.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace mimus::kernels {
namespace {

using workloads::Layer;

/// Tenants interleave between segments, so a pass without communication is cut as well.
constexpr int kLeastSegments = 4;

/// Number of layers that a pass has completed after `launches`. `ends` are in the order of the
/// pass.
std::size_t layers_done(const std::vector<std::size_t>& ends, std::size_t launches) {
  if (launches == 0) return 0;
  const auto end = std::lower_bound(ends.begin(), ends.end(), launches);
  const auto done = static_cast<std::size_t>(end - ends.begin()) + 1;
  return std::min(done, ends.size());
}

std::vector<ScheduledCollective> in_layers(std::vector<ScheduledCollective> collectives,
                                           const std::vector<std::size_t>& ends) {
  for (auto& collective : collectives) collective.after = layers_done(ends, collective.after);
  return collectives;
}

struct CutPass {
  std::vector<Segment> segments;
  std::vector<std::size_t> after_layers;  ///< number of segments after so many layers
};

/// `append_layer(k, segment)` appends the k-th layer of the pass to the segment.
template <class AppendLayer>
CutPass cut(std::size_t layers, const std::set<std::size_t>& points, AppendLayer append_layer) {
  Segment whole;
  for (std::size_t k = 0; k < layers; ++k) append_layer(k, whole);
  const Duration target = whole.device_time / kLeastSegments;
  CutPass pass;
  pass.after_layers.push_back(0);
  Segment current;
  for (std::size_t k = 0; k < layers; ++k) {
    append_layer(k, current);
    const bool long_enough = target.count() > 0 && current.device_time >= target;
    const bool ends = long_enough || k + 1 == layers || points.contains(k + 1);
    if (ends && !current.kernels.empty()) {
      pass.segments.push_back(std::exchange(current, Segment{}));
    }
    pass.after_layers.push_back(pass.segments.size());
  }
  return pass;
}

void add_points(const std::vector<ScheduledCollective>& collectives,
                std::set<std::size_t>& points) {
  for (const auto& collective : collectives) points.insert(collective.after);
}

void in_segments(std::vector<ScheduledCollective>& collectives, const CutPass& pass) {
  for (auto& collective : collectives) {
    collective.after = pass.after_layers.at(collective.after);
  }
}

void cut_forward(const ParallelPlan& rank, const RooflineRates& rates, double batch,
                 SplitPasses& out) {
  auto& collectives = out.communication.forward;
  collectives = in_layers(rank.forward, rank.launches.forward_ends);
  std::set<std::size_t> points;
  add_points(collectives, points);
  CutPass pass = cut(rank.share.layers.size(), points, [&](std::size_t k, Segment& segment) {
    const Layer& layer = rank.share.layers[k];
    append(segment, group_of(layer, Direction::forward, batch, rates.width), layer.forward_kernels,
           rates);
  });
  in_segments(collectives, pass);
  out.forward = std::move(pass.segments);
}

void cut_backward(const ParallelPlan& rank, const RooflineRates& rates, double batch,
                  SplitPasses& out) {
  const std::size_t layers = rank.share.layers.size();
  const std::vector<std::size_t> ends(rank.launches.backward_ends.rbegin(),
                                      rank.launches.backward_ends.rend());
  auto& collectives = out.communication.backward;
  auto& reduce = out.communication.reduce;
  collectives = in_layers(rank.backward, ends);
  reduce = in_layers(rank.reduce, ends);
  std::set<std::size_t> points;
  add_points(collectives, points);
  add_points(reduce, points);
  CutPass pass = cut(layers, points, [&](std::size_t k, Segment& segment) {
    const Layer& layer = rank.share.layers[layers - 1 - k];
    append(segment, group_of(layer, Direction::backward, batch, rates.width),
           layer.backward_kernels, rates);
    for (const auto& bucket : reduce) {
      const bool complete = bucket.group == ParallelGroup::data && bucket.after == k + 1;
      if (complete) append(segment, bucket_copies(bucket.size), 2, rates);
    }
  });
  in_segments(collectives, pass);
  in_segments(reduce, pass);
  out.backward = std::move(pass.segments);
}

}  // namespace

SplitPasses cut_passes(const ParallelPlan& rank, const RooflineRates& rates) {
  SplitPasses out;
  out.communication = rank;
  const auto batch = static_cast<double>(rank.shape.micro_batch);
  cut_forward(rank, rates, batch, out);
  cut_backward(rank, rates, batch, out);
  return out;
}

}  // namespace mimus::kernels
