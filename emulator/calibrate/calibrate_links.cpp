// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/calibrate/calibrate_links.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/quantity_text.hpp"
#include "kernels/cuda/collective/collective_bandwidth.hpp"
#include "results/totals/percentile.hpp"

namespace mimus::emulator {
namespace {

constexpr std::int64_t kSmallest = std::int64_t{4} << 10U;
constexpr std::int64_t kLargestOnHost = std::int64_t{64} << 20U;
constexpr std::int64_t kLargestOnCuda = std::int64_t{256} << 20U;

std::string link_name(const CalibrationBed& bed, const std::vector<scheduler::Slot>& slots,
                      std::size_t hosts, const std::string& no_link) {
  if (!no_link.empty()) return no_link;
  if (hosts > 1) return "network";
  const bool in_island = bed.cluster.shape.locality(slots) <= scheduler::Locality::same_island;
  return bed.engine.on_cuda() && in_island ? "island" : "node";
}

}  // namespace

std::vector<LinkPoint> link_points(const std::vector<std::vector<int>>& shapes,
                                   const scheduler::ClusterShape& cluster) {
  std::vector<std::vector<int>> gangs;
  const auto add = [&](std::vector<int> gang) {
    const bool is_new = std::find(gangs.begin(), gangs.end(), gang) == gangs.end();
    if (is_new && (gang.size() > 1 || gang.front() > 1)) gangs.push_back(std::move(gang));
  };
  for (const auto& shape : shapes) add(shape);
  if (gangs.empty()) {
    if (cluster.gpus_per_node > 1) add({2});
    add({cluster.gpus_per_node});
    if (cluster.nodes > 1) add({1, 1});
    add(std::vector<int>(static_cast<std::size_t>(cluster.nodes), cluster.gpus_per_node));
  }
  std::vector<LinkPoint> points;
  for (auto& gang : gangs) points.push_back({std::move(gang)});
  return points;
}

std::vector<std::int64_t> link_sizes(const EngineConfig& engine) {
  std::vector<std::int64_t> sizes;
  const std::int64_t largest = engine.on_cuda() ? kLargestOnCuda : kLargestOnHost;
  for (std::int64_t size = kSmallest; size <= largest; size *= 2) sizes.push_back(size);
  return sizes;
}

results::ProfileLinkRow link_row(const LinkPoint& point, const CalibrationBed& bed,
                                 const std::vector<std::string>& hosts, const LinkTimes& times) {
  const auto slots = slots_of(bed.cluster.shape, point.shape);
  std::set<std::string> used;
  for (const auto& slot : slots) {
    used.insert(hosts.at(static_cast<std::size_t>(rank_of(slot.lane))));
  }
  results::ProfileLinkRow row = key_row(point, times.bytes);
  row.link = link_name(bed, slots, used.size(), times.no_link);
  row.device = bed.engine.device;
  row.via = times.via;
  row.hosts = static_cast<std::int64_t>(used.size());
  row.ranks = static_cast<std::int64_t>(slots.size());
  row.operations = static_cast<std::int64_t>(times.seconds.size());
  row.seconds_min = *std::min_element(times.seconds.begin(), times.seconds.end());
  row.seconds_median = results::percentile(times.seconds, 0.5);
  row.bus_bandwidth = kernels::collective_bandwidth(
                          kernels::CollectiveOp::all_reduce, Bytes{static_cast<double>(row.bytes)},
                          static_cast<int>(row.ranks), from_seconds(row.seconds_median))
                          .bus.value;
  return row;
}

results::ProfileLinkRow key_row(const LinkPoint& point, std::int64_t bytes) {
  results::ProfileLinkRow row;
  row.shape = fmt::format("{}", fmt::join(point.shape, "+"));
  row.bytes = bytes;
  return row;
}

bool same_point(const results::ProfileLinkRow& a, const results::ProfileLinkRow& b) {
  return std::tie(a.shape, a.bytes) == std::tie(b.shape, b.bytes);
}

void measure_links(const LinkPoint& point, const std::vector<std::int64_t>& sizes,
                   const CalibrationBed& bed, const LiveWorld& world, Mailbox& mailbox,
                   LiveEngine& engine,
                   const std::function<void(const results::ProfileLinkRow&)>& take) {
  static std::int64_t tag = 0;
  MeasureLink message{.tag = ++tag,
                      .slots = slots_of(bed.cluster.shape, point.shape),
                      .bytes = sizes,
                      .budget_ns = kLinkBudget.count()};
  for (const auto& slot : message.slots) mailbox.send(rank_of(slot.lane), message);
  for (const std::int64_t size : sizes) {
    const auto envelope = engine.await(
        MessageKind::link_times, wall_now(), "measurement of links",
        fmt::format("all-reduces of {} over {} have not finished",
                    format_bytes(Bytes{static_cast<double>(size)}), fmt::join(point.shape, "+")));
    take(link_row(point, bed, world.hosts(), decode<LinkTimes>(envelope.bytes)));
  }
}

}  // namespace mimus::emulator
