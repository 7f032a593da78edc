// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "builders.hpp"
#include "scheduler/books/fit.hpp"
#include "scheduler/placement/pack.hpp"
#include "scheduler/sharing/exclusive.hpp"
#include "scheduler/sharing/tenants.hpp"

namespace mimus::scheduler::test {
namespace {

using ::testing::ElementsAre;

/// One node of four 16 GB GPUs with two lanes; GPU 1 has a tenant of 6 GB.
Cluster one_tenant() {
  Cluster cluster(shape(1, 4, 2));
  cluster.allocate(JobId{90}, AttemptId{90}, slots(cluster, {1}), Bytes{6e9});
  return cluster;
}

std::vector<int> place(const Cluster& cluster, const Sharing& sharing, int gang, double memory) {
  const Pack pack;
  const Fit fit(cluster, sharing, pack);
  const auto found = fit.find({.gang = gang, .memory = Bytes{memory}, .level = 0});
  return found ? gpus_of(*found) : std::vector<int>{};
}

TEST(ExclusiveSharing, UsesIdleGpusOnly) {
  const Cluster cluster = one_tenant();

  EXPECT_THAT(place(cluster, Exclusive(), 3, 1e9), ElementsAre(0, 2, 3));
  EXPECT_TRUE(place(cluster, Exclusive(), 4, 1e9).empty());
}

TEST(TenantSharing, PrefersIdleGpusAndSharesWhenTheyRunOut) {
  const Cluster cluster = one_tenant();
  const Tenants sharing({.per_gpu = 2, .prefer = Tenants::Prefer::idle});

  EXPECT_THAT(place(cluster, sharing, 1, 8e9), ElementsAre(0));
  EXPECT_THAT(place(cluster, sharing, 4, 8e9), ElementsAre(0, 1, 2, 3));
}

TEST(TenantSharing, FillsSharedGpusFirstWhenToldSo) {
  const Cluster cluster = one_tenant();
  const Tenants sharing({.per_gpu = 2, .prefer = Tenants::Prefer::shared});

  EXPECT_THAT(place(cluster, sharing, 1, 8e9), ElementsAre(1));
  EXPECT_THAT(place(cluster, sharing, 2, 8e9), ElementsAre(0, 1));
}

TEST(TenantSharing, JoinsOnlyWhileTheMemoryFitsTogether) {
  // 6 GB of 16 GB are used: 10 GB fit exactly, more do not.
  const Cluster cluster = one_tenant();
  const Tenants sharing({.per_gpu = 2, .prefer = Tenants::Prefer::shared});

  EXPECT_THAT(place(cluster, sharing, 1, 10e9), ElementsAre(1));
  EXPECT_THAT(place(cluster, sharing, 1, 10.001e9), ElementsAre(0));
  EXPECT_TRUE(place(cluster, sharing, 4, 10.001e9).empty());
}

TEST(TenantSharing, StopsAtItsNumberOfTenants) {
  Cluster cluster = one_tenant();
  cluster.allocate(JobId{91}, AttemptId{91}, slots(cluster, {1}), Bytes{1e9});

  EXPECT_THAT(place(cluster, Tenants({.per_gpu = 2, .prefer = Tenants::Prefer::shared}), 1, 1e9),
              ElementsAre(0));
  EXPECT_TRUE(place(one_tenant(), Tenants({.per_gpu = 1, .prefer = Tenants::Prefer::idle}), 4, 1e9)
                  .empty());
}

TEST(TenantSharing, GivesTheSecondTenantTheSecondLane) {
  const Cluster cluster = one_tenant();
  const Pack pack;
  const Tenants sharing({.per_gpu = 2, .prefer = Tenants::Prefer::shared});

  const auto found = Fit(cluster, sharing, pack).find({1, Bytes{1e9}, 0});

  EXPECT_EQ(found->slots.at(0), (Slot{GpuId{1}, LaneId{3}}));
}

}  // namespace
}  // namespace mimus::scheduler::test
