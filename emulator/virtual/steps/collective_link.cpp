// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/virtual/steps/collective_link.hpp"

#include <bit>

namespace mimus::emulator {

kernels::GangLink tree_link(const kernels::GangLink& link, int replicas) {
  constexpr double kTreeEfficiency = 0.92;
  if (replicas < 2) return link;
  const auto n = static_cast<unsigned>(replicas);
  const auto depth = static_cast<std::int64_t>(std::bit_width(n - 1));
  const double ring = (replicas - 1.0) / replicas;
  return {kTreeEfficiency * ring * link.bandwidth, link.latency * depth / (replicas - 1),
          link.crosses_nodes};
}

Duration transfer_time(const kernels::FootprintPlan& plan, const kernels::GangLink& link) {
  using kernels::CollectiveOp;
  const int replicas = plan.shape.replicas;
  if (replicas < 2) return Duration{};
  Bytes volume = kernels::ring_volume(CollectiveOp::broadcast, plan.buffer_broadcast, replicas);
  for (const Bytes bucket : plan.buckets) {
    volume += kernels::ring_volume(CollectiveOp::all_reduce, bucket, replicas);
  }
  return volume / link.bandwidth;
}

}  // namespace mimus::emulator
