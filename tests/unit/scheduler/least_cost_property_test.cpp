// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "builders.hpp"
#include "scheduler/books/fit.hpp"
#include "scheduler/placement/least_cost.hpp"
#include "scheduler/sharing/utilisation_cost.hpp"

namespace mimus::scheduler::test {
namespace {

/// A cluster of 16 GB GPUs with random tenants, up to four on a GPU.
class SharedCluster {
 public:
  SharedCluster() : cluster_(shape(3, 3, 4)), kinds_({.utilisation = true}) {
    const int tenants = *rc::gen::inRange(0, 25);
    for (int id = 0; id < tenants; ++id) {
      const GpuId gpu{*rc::gen::inRange(0, 9)};
      if (cluster_.gpu(gpu).tenants.size() == 4) continue;
      cluster_.allocate(JobId{id}, AttemptId{id}, {{{gpu, cluster_.free_lane(gpu)}}},
                        Bytes{1e9 * *rc::gen::inRange(1, 8)}, random_kind());
    }
  }

  const JobKind* random_kind() {
    JobView view;
    view.estimated_utilisation = 0.01 * *rc::gen::inRange(0, 101);
    return kinds_.of(view, 1);
  }
  [[nodiscard]] const Cluster& cluster() const { return cluster_; }

 private:
  Cluster cluster_;
  JobKinds kinds_;
};

TEST(LeastCostProperties, ReplicasGoToTheFewestNodesAndThereWhereTheyCostLeast) {
  EXPECT_TRUE(rc::check("no other place of the same number of nodes costs less", [] {
    SharedCluster random;
    const Cluster& cluster = random.cluster();
    const UtilisationCost sharing({});
    const LeastCost placement;
    const int gang = *rc::gen::inRange(1, 4);
    const PlacementRequest request{
        .gang = gang, .memory = Bytes{1e9 * *rc::gen::inRange(1, 8)}, .kind = random.random_kind()};
    const auto found = Fit(cluster, sharing, placement).find(request);

    const ReplicaNeed need{.memory = request.memory, .kind = request.kind};
    const Bytes capacity = cluster.shape().gpu_memory;
    std::vector<std::vector<std::int64_t>> costs(3);
    for (const GpuState& gpu : cluster.gpus()) {
      if (!gpu.idle() && !sharing.admits(gpu, need, capacity)) continue;
      costs[gpu.id.index() / 3].push_back(sharing.reluctance(gpu, need, capacity));
    }
    std::optional<std::int64_t> least;  // on one node
    std::size_t open = 0;
    for (auto& node : costs) {
      open += node.size();
      if (static_cast<int>(node.size()) < gang) continue;
      std::sort(node.begin(), node.end());
      std::int64_t sum = 0;
      for (int i = 0; i < gang; ++i) sum += node[static_cast<std::size_t>(i)];
      if (!least || sum < *least) least = sum;
    }
    RC_ASSERT(found.has_value() == (static_cast<int>(open) >= gang));
    if (!found || !least) return;
    std::int64_t cost = 0;
    for (const Slot& slot : found->slots) {
      RC_ASSERT(cluster.shape().node_of(slot.gpu) == cluster.shape().node_of(found->slots[0].gpu));
      cost += sharing.reluctance(cluster.gpu(slot.gpu), need, capacity);
    }
    RC_ASSERT(cost == *least);
  }));
}

}  // namespace
}  // namespace mimus::scheduler::test
