// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/sharing/utilisation_cost.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "builders.hpp"
#include "scheduler/books/fit.hpp"
#include "scheduler/placement/least_cost.hpp"

namespace mimus::scheduler::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr Bytes kCapacity{32e9};

/// Jobs by their memory [GB] and utilisation, on one node of GPUs of 32 GB with three lanes.
class UtilisationCostTest : public ::testing::Test {
 protected:
  explicit UtilisationCostTest(int nodes = 1, int gpus = 4)
      : cluster_(large_gpus(shape(nodes, gpus, 3))), kinds_({.utilisation = true}) {}

  static ClusterShape large_gpus(ClusterShape shape) {
    shape.gpu_memory = kCapacity;
    return shape;
  }
  const JobKind* kind(double utilisation) {
    JobView view;
    view.estimated_utilisation = utilisation;
    return kinds_.of(view, 1);
  }
  void put(int gpu, double gigabytes, double utilisation) {
    const std::int64_t id = next_++;
    cluster_.allocate(JobId{id}, AttemptId{id}, slots(cluster_, {gpu}), Bytes{gigabytes * 1e9},
                      kind(utilisation));
  }
  double cost(int gpu, double gigabytes, double utilisation,
              UtilisationCost::Settings settings = {}) {
    const ReplicaNeed need{.memory = Bytes{gigabytes * 1e9}, .kind = kind(utilisation)};
    return UtilisationCost(settings).cost(cluster_.gpu(GpuId{gpu}), need, kCapacity);
  }
  std::vector<int> place(int gang, double gigabytes, double utilisation) {
    const UtilisationCost sharing({});
    const LeastCost placement;
    const auto found =
        Fit(cluster_, sharing, placement)
            .find({.gang = gang, .memory = Bytes{gigabytes * 1e9}, .kind = kind(utilisation)});
    return found ? gpus_of(*found) : std::vector<int>{};
  }

  Cluster cluster_;
  JobKinds kinds_;
  std::int64_t next_ = 90;
};

// 1.3 × memory + 1.6 × excess or 1 × rest + tenants, of a job of 8 GB and 60 % on 32 GB.
TEST_F(UtilisationCostTest, IsThatOfTheAuthorsSimulator) {
  put(1, 10, 0.3);
  put(2, 10, 0.5);

  EXPECT_NEAR(cost(0, 8, 0.6), 0.725, 1e-12);    // 1.3 × 0.25 + 0.4
  EXPECT_NEAR(cost(1, 8, 0.6), 1.83125, 1e-12);  // 1.3 × 0.5625 + 0.1 + 1
  EXPECT_NEAR(cost(2, 8, 0.6), 1.89125, 1e-12);  // 1.3 × 0.5625 + 1.6 × 0.1 + 1
}

TEST_F(UtilisationCostTest, GrowsWithCompany) {
  put(1, 4, 0.3);
  put(2, 12, 0.25);
  put(2, 8, 0.35);

  EXPECT_NEAR(cost(0, 4, 0.3), 0.8625, 1e-12);  // 1.3 × 0.125 + 0.7
  EXPECT_NEAR(cost(1, 4, 0.3), 1.725, 1e-12);   // 1.3 × 0.25 + 0.4 + 1
  EXPECT_NEAR(cost(2, 4, 0.3), 3.075, 1e-12);   // 1.3 × 0.75 + 0.1 + 2
}

// 1.3 × 0.5625 + 0.5 + 1; what is asked for does not count.
TEST_F(UtilisationCostTest, CountsTenantsOnlyInGandivasForm) {
  put(1, 10, 0.5);

  EXPECT_NEAR(cost(1, 8, 0.6, {.by = UtilisationCost::By::tenants}), 2.23125, 1e-12);
  EXPECT_NEAR(cost(1, 8, 0.1, {.by = UtilisationCost::By::tenants}), 2.23125, 1e-12);
}

TEST_F(UtilisationCostTest, LeavesNoPlaceForAFourthTenantNorForTooMuchMemory) {
  for (int i = 0; i < 3; ++i) put(0, 1, 0.1);
  put(1, 20, 0.1);
  put(2, 28, 0.1);
  put(3, 28, 0.1);

  EXPECT_THAT(place(1, 1, 0.1), ElementsAre(1));
  EXPECT_THAT(place(1, 11.4, 0.1), ElementsAre(1));  // leaves 600 MB
  EXPECT_THAT(place(1, 11.5, 0.1), IsEmpty());       // leaves 500 MB, not more
}

TEST_F(UtilisationCostTest, TakesTheGpusOfLeastCost) {
  put(0, 10, 0.5);
  put(1, 10, 0.3);
  put(3, 10, 0.5);

  EXPECT_THAT(place(1, 8, 0.6), ElementsAre(2));
  put(2, 30, 0.9);
  EXPECT_THAT(place(1, 8, 0.6), ElementsAre(1));
  EXPECT_THAT(place(2, 8, 0.6), ElementsAre(0, 1));
}

class UtilisationCostOfNodes : public UtilisationCostTest {
 protected:
  UtilisationCostOfNodes() : UtilisationCostTest(3, 2) {}
};

TEST_F(UtilisationCostOfNodes, TakesTheNodeOfLeastCostTogether) {
  put(0, 10, 0.5);  // node 0: 1.89125 + 0.725
  put(2, 10, 0.3);  // node 1: 1.83125 + 0.725
  put(4, 10, 0.5);
  put(5, 10, 0.5);

  EXPECT_THAT(place(2, 8, 0.6), ElementsAre(2, 3));
  EXPECT_THAT(place(1, 8, 0.6), ElementsAre(1));
}

TEST_F(UtilisationCostOfNodes, TakesTheFewestNodesForGangsBeyondOne) {
  put(0, 30, 0.5);
  put(2, 30, 0.5);
  put(5, 10, 0.3);  // node 2 alone has both GPUs open

  EXPECT_THAT(place(3, 8, 0.6), ElementsAre(1, 4, 5));
  EXPECT_THAT(place(4, 8, 0.6), ElementsAre(1, 3, 4, 5));
  EXPECT_THAT(place(5, 8, 0.6), IsEmpty());
}

}  // namespace
}  // namespace mimus::scheduler::test
