// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/random.hpp"
#include "builders.hpp"
#include "scheduler/placement/gpu_sets.hpp"
#include "scheduler/sharing/fraction.hpp"
#include "scheduler/sharing/tenants.hpp"

namespace mimus::scheduler::test {
namespace {

/// A cluster that changes at random in all ways that books can change it.
class RestlessCluster {
 public:
  RestlessCluster(std::uint64_t seed, bool divided)
      : cluster(shape(5, 4, 3)), random_(seed, "restless"), divided_(divided) {}

  void change() {
    const GpuId gpu{random_.below(cluster.shape().gpus())};
    switch (random_.below(6)) {
      case 0:
      case 1:
        return begin(gpu);
      case 2:
        return end();
      case 3:
        withheld_.push_back(gpu);
        return cluster.withhold(gpu);
      case 4:
        if (withheld_.empty()) return;
        cluster.offer(withheld_.back());
        return withheld_.pop_back();
      default:
        return shake();
    }
  }

  Cluster cluster;

 private:
  void begin(GpuId gpu) {
    if (!cluster.usable(gpu) || !cluster.free_lane(gpu)) return;
    Allocation allocation = slots(cluster, {static_cast<int>(gpu.value())});
    if (divided_) {
      const std::int64_t left = cluster.gpu(gpu).free_share().value;
      if (left == 0) return;
      allocation.share = MilliGpus{std::max<std::int64_t>(1, left / (1 + random_.below(3)))};
    }
    const AttemptId id{next_++};
    cluster.allocate(JobId{id.value()}, id, allocation, Bytes{random_.uniform(0.0, 6e9)});
    running_.push_back(id);
  }
  void end() {
    if (running_.empty()) return;
    cluster.release(running_.front());
    running_.erase(running_.begin());
  }
  void shake() {
    const NodeId node{random_.below(cluster.shape().nodes)};
    cluster.set_node_up(node, random_.below(3) > 0);
    if (running_.empty()) return;
    cluster.vacate(running_.back());
    cluster.reoccupy(running_.back());
    cluster.set_memory(running_.back(), Bytes{random_.uniform(0.0, 6e9)});
  }

  RandomStream random_;
  bool divided_;
  std::vector<AttemptId> running_;
  std::vector<GpuId> withheld_;
  std::int64_t next_ = 0;
};

/// Where a kept set and a newly counted one differ, or "".
std::string difference(GpuSets& kept, const Cluster& cluster, const Sharing& sharing,
                       const GpuFilter& filter) {
  const NodeIndex& found = kept.by_node(filter);
  std::vector<int> counts(static_cast<std::size_t>(cluster.shape().nodes), 0);
  for (const GpuState& gpu : cluster.gpus()) {
    if (filter.passes(cluster, sharing, gpu)) ++counts[gpu.node.index()];
  }
  for (int node = 0; node < cluster.shape().nodes; ++node) {
    const int count = found.count(NodeId{node});
    if (count == counts[static_cast<std::size_t>(node)]) continue;
    return "node " + std::to_string(node) + " has " + std::to_string(count);
  }
  return "";
}

void expect_sets_to_be_up_to_date(const Sharing& sharing, const std::vector<GpuFilter>& filters) {
  const auto seed = *rc::gen::inRange<std::uint64_t>(1, 1'000'000);
  RestlessCluster restless(seed, sharing.divides());
  GpuSets kept(restless.cluster, sharing);
  RandomStream random(seed, "questions");
  for (int i = 0; i < 300; ++i) {
    restless.change();
    if (random.below(3) > 0) continue;
    const auto which =
        static_cast<std::size_t>(random.below(static_cast<std::int64_t>(filters.size())));
    const std::string found = difference(kept, restless.cluster, sharing, filters[which]);
    if (!found.empty()) RC_FAIL(found);
  }
}

TEST(GpuSets, AreWhatCountingAllGpusGives) {
  EXPECT_TRUE(rc::check("tenants", [] {
    expect_sets_to_be_up_to_date(Tenants({.per_gpu = 3}), {{Tier::shared, {Bytes{1e9}, kWholeGpu}},
                                                           {Tier::any, {Bytes{1e9}, kWholeGpu}},
                                                           {Tier::any, {Bytes{9e9}, kWholeGpu}}});
  }));
  EXPECT_TRUE(rc::check("fractions", [] {
    expect_sets_to_be_up_to_date(Fraction({.per_gpu = 3}),
                                 {{Tier::any, {Bytes{1e9}, MilliGpus{300}}},
                                  {Tier::tightest, {Bytes{1e9}, MilliGpus{500}}},
                                  {Tier::tightest, {Bytes{9e9}, MilliGpus{667}}}});
  }));
}

}  // namespace
}  // namespace mimus::scheduler::test
