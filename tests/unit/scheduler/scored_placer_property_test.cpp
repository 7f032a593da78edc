// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// A placer that has followed a cluster answers as one that sees it for the first time, and nodes
// never give more cores or memory than they have.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/random.hpp"
#include "builders.hpp"
#include "random_run.hpp"
#include "scheduler/placement/nodes/scored_placer.hpp"
#include "scheduler/placement/placement.hpp"
#include "scheduler/sharing/fraction.hpp"

namespace mimus::scheduler::test {
namespace {

constexpr std::array kScored{"fgd",           "dot_product", "gpu_clustering", "gpu_packing",
                             "best_fit_node", "random_node", "least_loaded",   "alternatives"};

std::vector<RequestCount> some_kinds() {
  return {{500, 0, {1000}, {}, 20},
          {2000, 1, {300}, {}, 30},
          {4000, 1, {1000}, {"V100"}, 25},
          {6000, 1, {700}, {"T4"}, 15},
          {9000, 2, {1000}, {}, 10}};
}

ClusterShape uneven_shape() {
  const auto nodes = [](int count, int gpus, const char* type, std::int64_t milli_cores) {
    return NodeGroup{.nodes = count,
                     .gpus_per_node = gpus,
                     .gpu_type = type,
                     .gpu_memory = Bytes{16e9},
                     .host = {.milli_cores = milli_cores, .memory = 1000}};
  };
  auto shape = ClusterShape::of_groups(
      {nodes(2, 4, "T4", 16'000), nodes(2, 2, "V100", 12'000), nodes(1, 1, "T4", 3'000)}, 5);
  shape.lanes_per_gpu = 8;
  return shape;
}

/// Gangs come and go, and GPUs and nodes go and come back.
class BusyCluster {
 public:
  explicit BusyCluster(std::uint64_t seed) : cluster(uneven_shape()), random_(seed, "busy") {}

  /// What comes next, of one of three kinds of gang.
  PlacementRequest request() {
    PlacementRequest asked;
    asked.gang = static_cast<int>(random_.below(random_.uniform() < 0.2 ? 7 : 3));
    if (asked.gang == 1 && random_.uniform() < 0.7) asked.share = {1 + random_.below(999)};
    asked.host = {.milli_cores = 500 * random_.below(12), .memory = random_.below(300)};
    asked.types = 1 + static_cast<GpuTypes>(random_.below(3));
    asked.draw = static_cast<std::uint64_t>(random_.below(1000));
    asked.memory = Bytes{1e9 * static_cast<double>(random_.below(6))};
    asked.kind = &kinds_[static_cast<std::size_t>(asked.gang)];
    return asked;
  }

  void begin(const PlacementRequest& asked, const Allocation& found) {
    const AttemptId id{next_++};
    cluster.allocate(JobId{id.value()}, id, found, asked.memory, asked.kind);
    running_.push_back(id);
  }

  void shake() {
    if (!running_.empty() && random_.uniform() < 0.6) {
      const auto i = random_.below(static_cast<std::int64_t>(running_.size()));
      cluster.release(running_[static_cast<std::size_t>(i)]);
      running_.erase(running_.begin() + i);
    }
    if (random_.uniform() > 0.2) return;
    const NodeId node{random_.below(cluster.shape().nodes)};
    cluster.set_node_up(node, random_.uniform() < 0.7);
  }

  /// Sums over what runs, node by node, against what is said to be free.
  void check_hosts() const {
    for (int n = 0; n < cluster.shape().nodes; ++n) {
      const NodeId node{n};
      HostNeed held;
      for (const AttemptId id : running_) {
        const Allocation& has = cluster.holding(id).allocation;
        if (has.node == node) held += has.host;
        const auto replicas = static_cast<std::int64_t>(has.slots.size());
        for (std::int64_t i = 0; i < replicas; ++i) {
          const GpuId gpu = has.slots[static_cast<std::size_t>(i)].gpu;
          if (cluster.shape().node_of(gpu) == node) held += has.host.part(i, replicas);
        }
      }
      HostNeed free = cluster.shape().host_of(node);
      free -= held;
      RC_ASSERT(free == cluster.free_host(node));
      RC_ASSERT(free.milli_cores >= 0 && free.memory >= 0);
    }
  }

  Cluster cluster;

 private:
  RandomStream random_;
  std::array<JobKind, 8> kinds_ = [] {
    std::array<JobKind, 8> kinds;
    for (int gang = 0; gang < 8; ++gang) {
      kinds[static_cast<std::size_t>(gang)] = {.number = gang, .gang = gang, .model = ""};
    }
    return kinds;
  }();
  std::vector<AttemptId> running_;
  std::int64_t next_ = 0;
};

TEST(ScoredPlacerProperties, FollowsTheClusterAndNeverGivesWhatIsTaken) {
  rc::check([](std::uint64_t seed) {
    for (const char* name : kScored) {
      const auto choices = placement_choices(
          {.throughput = nullptr, .oracle = nullptr, .seed = seed, .mix = some_kinds});
      const auto placement = choices.make(ConfigNode::text(name), "placement");
      const Fraction sharing({.per_gpu = 4});
      BusyCluster busy(seed);
      const auto follows = placement->placer(busy.cluster, sharing);
      int started = 0;
      for (int i = 0; i < 120; ++i) {
        const PlacementRequest asked = busy.request();
        const auto found = follows->find(asked);
        RC_ASSERT(found == placement->placer(busy.cluster, sharing)->find(asked));
        if (found) busy.begin(asked, *found), ++started;
        busy.shake();
        busy.check_hosts();
      }
      RC_ASSERT(started > 10);
    }
  });
}

// Whole runs: jobs with cores, some of them without GPUs, under every row that places them.
TEST(ScoredPlacerProperties, JobsWithCoresRunToTheirEnd) {
  std::uint64_t seed = 0;
  int rows = 0;
  for (const Row& row : covering_rows()) {
    ++seed;
    if (!may_ask_for_cores(row)) continue;
    ++rows;
    RandomRun run = random_run(row, seed, 25, Inventory::with_cores);
    run.driver.run(20'000);
    EXPECT_EQ(run.driver.violations(), std::vector<std::string>{}) << yaml_of(row);
    EXPECT_EQ(run.driver.scheduler().unfinished(), 0U) << yaml_of(row) << " seed " << seed;
    const Cluster& cluster = run.driver.scheduler().cluster();
    for (int n = 0; n < run.shape.nodes; ++n) {
      EXPECT_EQ(cluster.free_host(NodeId{n}), run.shape.host_of(NodeId{n})) << yaml_of(row);
      EXPECT_EQ(cluster.tenants_on(NodeId{n}), 0);
    }
  }
  EXPECT_GT(rows, rows_cover_every_pair() ? 20 : 0);
}

}  // namespace
}  // namespace mimus::scheduler::test
