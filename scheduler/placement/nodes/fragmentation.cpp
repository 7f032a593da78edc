// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/placement/nodes/fragmentation.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace mimus::scheduler {
namespace {

GpuTypes types_named(const RequestCount& request, const ClusterShape& shape) {
  if (request.gpu_types.empty()) return kAllTypes;
  GpuTypes types = 0;
  for (const std::string& name : request.gpu_types) {
    if (const auto type = shape.type_named(name)) types |= only_type(*type);
  }
  return types;
}

/// The most frequent ones first.
void sort_by_frequency(std::vector<RequestCount>& mix) {
  const auto key = [](const RequestCount& r) {
    return std::tuple(r.jobs, r.milli_cores, r.share, r.gpus);
  };
  std::stable_sort(mix.begin(), mix.end(),
                   [&](const RequestCount& a, const RequestCount& b) { return key(a) > key(b); });
}

std::int64_t jobs_in(std::span<const RequestCount> mix) {
  return std::accumulate(
      mix.begin(), mix.end(), std::int64_t{0},
      [](std::int64_t sum, const RequestCount& request) { return sum + request.jobs; });
}

}  // namespace

Fragmentation::Fragmentation(std::vector<RequestCount> mix, double popularity,
                             const ClusterShape& shape) {
  sort_by_frequency(mix);
  const auto wanted = popularity * static_cast<double>(jobs_in(mix));
  std::int64_t jobs = 0;
  while (kinds_ < mix.size() && static_cast<double>(jobs) < wanted) jobs += mix[kinds_++].jobs;
  for (std::size_t i = 0; i < kinds_; ++i) {
    add(mix[i], static_cast<double>(mix[i].jobs) / static_cast<double>(jobs), shape);
  }
}

void Fragmentation::add(const RequestCount& request, double weight, const ClusterShape& shape) {
  if (request.gpus == 0) {
    without_gpus_ += weight;
    return;
  }
  const auto share = static_cast<int>(request.share.value);
  auto level = std::find_if(levels_.begin(), levels_.end(),
                            [&](const Level& known) { return known.share == share; });
  if (level == levels_.end()) level = levels_.insert(level, {share, {}});
  level->kinds.push_back({request.milli_cores, request.gpus, types_named(request, shape), weight});
}

double Fragmentation::of(int type, std::int64_t milli_cores, std::span<const int> left) const {
  const int idle = std::accumulate(left.begin(), left.end(), 0);
  double fragmented = without_gpus_ * idle;
  for (const Level& level : levels_) {
    int enough = 0;
    int too_little = 0;
    for (const int gpu : left) {
      if (gpu >= level.share) {
        ++enough;
      } else {
        too_little += gpu;
      }
    }
    for (const Kind& kind : level.kinds) {
      const bool fits =
          enough >= kind.gpus && milli_cores >= kind.milli_cores && has_type(kind.types, type);
      fragmented += kind.weight * (fits ? too_little : idle);
    }
  }
  return fragmented;
}

}  // namespace mimus::scheduler
