// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Load balancing and the alternatives of jobs (Alibaba PAI), with numbers worked out by hand. What
// whole runs do with them is in tests/virtual/pai_test.py.
#include "scheduler/placement/alternatives/alternatives.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "builders.hpp"
#include "scheduler/books/types_of_job.hpp"
#include "scheduler/placement/nodes/least_loaded.hpp"
#include "scheduler/sharing/fraction.hpp"

namespace mimus::scheduler::test {
namespace {

using ::testing::ElementsAre;

NodeGroup pai_nodes(const char* type, int gpus, int island, std::int64_t milli_cores = 0,
                    std::int64_t memory = 0) {
  return {.gpus_per_node = gpus,
          .gpus_per_island = island,
          .gpu_type = type,
          .gpu_memory = Bytes{16e9},
          .host = {.milli_cores = milli_cores, .memory = memory}};
}

ClusterShape pai_shape(const std::vector<NodeGroup>& groups) {
  ClusterShape shape = ClusterShape::of_groups(groups, 8);
  shape.lanes_per_gpu = 8;
  return shape;
}

class LoadedNode : public ::testing::Test {
 protected:
  void hold(const std::vector<int>& gpus, std::int64_t milli, HostNeed host = {}) {
    Allocation allocation = slots(cluster_, gpus);
    allocation.share = MilliGpus{milli};
    allocation.host = host;
    ++id_;
    cluster_.allocate(JobId{id_}, AttemptId{id_}, allocation, Bytes{});
  }
  [[nodiscard]] NodeOffer offer(const PlacementRequest& request, GpuMask candidates,
                                LeastLoaded::Parts parts = LeastLoaded::Parts::emptiest) const {
    const NodeView view = view_of(cluster_, NodeId{0});
    return LeastLoaded(cluster_.shape(), parts).offer({view, request, candidates});
  }

  Cluster cluster_{pai_shape({pai_nodes("T4", 8, 4, 80'000, 1000), pai_nodes("T4", 8, 8)})};

 private:
  int id_ = 0;
};

// Of node 0 is left: 7.5 of 8 GPUs, 60 of 80 cores, half of the memory: their mean is .7291(6).
TEST_F(LoadedNode, ScoresTheMeanOfWhatIsLeft) {
  EXPECT_EQ(offer({}, 1).score, 10'000);
  hold({3}, 500, {.milli_cores = 20'000, .memory = 500});
  EXPECT_EQ(offer({}, 1).score, 7291);
}

TEST_F(LoadedNode, CountsOnlyWhatANodeStates) {
  hold({8, 9}, 1000);
  const NodeView view = view_of(cluster_, NodeId{1});
  EXPECT_EQ(LeastLoaded(cluster_.shape()).offer({view, {}, 4}).score, 7500);
}

// Islands of GPUs 0 to 3 and 4 to 7, of which 1, 2, 3 and 4 to 7 are candidates.
TEST_F(LoadedNode, KeepsGangsOnFewIslands) {
  constexpr GpuMask kSeven = 0b1111'1110;
  EXPECT_EQ(offer({.gang = 3}, kSeven).gpus, GpuMask{0b0000'1110});
  EXPECT_EQ(offer({.gang = 4}, kSeven).gpus, GpuMask{0b1111'0000});
  EXPECT_EQ(offer({.gang = 5}, kSeven).gpus, GpuMask{0b1111'0010});
  EXPECT_EQ(offer({.gang = 5, .level = LeastLoaded::kOneIsland}, kSeven).score, kNoOffer);
  EXPECT_EQ(offer({.gang = 4, .level = LeastLoaded::kOneIsland}, kSeven).gpus,
            GpuMask{0b1111'0000});
  EXPECT_EQ(offer({.gang = 4, .level = LeastLoaded::kOneIsland}, 0b0111'0111).score, kNoOffer);
}

TEST_F(LoadedNode, PartsGoToTheEmptiestOrTheTightestGpu) {
  hold({1}, 500);
  hold({2}, 300);
  const PlacementRequest part{.share = MilliGpus{200}};
  EXPECT_EQ(offer(part, 0b110).gpus, GpuMask{0b100});
  EXPECT_EQ(offer(part, 0b110, LeastLoaded::Parts::tightest).gpus, GpuMask{0b010});
}

class AlternativesOfPai : public ::testing::Test {
 protected:
  static AlternativeLists lists() {
    using W = Alternative::Within;
    return {.high = {{.types = {"V100"}, .within = W::island, .patience = seconds(60)},
                     {.types = {"V100"}, .patience = seconds(300)},
                     {}},
            .low = {{.types = {"MISC"}, .patience = seconds(60)},
                    {.types = {"T4"}, .patience = seconds(60)},
                    {.types = {"V100"}, .idle_above = 0.2}}};
  }
  static JobView arrived(int gang, std::vector<std::string> types = {}) {
    JobView view = job(1, gang);
    view.requested_gang = gang;
    view.gpu_types = std::move(types);
    view.queued_since = at(100);
    view.types = types_for(shape(), view);
    return view;
  }
  static ClusterShape shape() {
    return pai_shape({pai_nodes("V100", 4, 4), pai_nodes("T4", 8, 8)});
  }
  [[nodiscard]] static std::vector<double> changes(const Placement& placement, const JobView& job) {
    std::vector<double> found;
    for (Instant now = at(100);; now = at(found.back())) {
      const Instant next = placement.next_level(job, now);
      if (next == kNever) return found;
      found.push_back(to_seconds(next.time_since_epoch()));
    }
  }
};

// No node is of type MISC: low jobs begin with T4. No island has eight V100s, and there are no
// eight.
TEST_F(AlternativesOfPai, ChangeWhenPatienceEnds) {
  Alternatives placement(lists());
  placement.begin(shape());
  EXPECT_THAT(changes(placement, arrived(2)), ElementsAre(160, 460));
  EXPECT_THAT(changes(placement, arrived(1, {"V100"})), ElementsAre(160, 460));
  EXPECT_THAT(changes(placement, arrived(1)), ElementsAre(160));
  EXPECT_THAT(changes(placement, arrived(8)), ElementsAre());
  EXPECT_THAT(changes(placement, arrived(2, {"T4"})), ElementsAre());
  const JobView high = arrived(2);
  EXPECT_NE(placement.level(high, at(159)), placement.level(high, at(160)));
  EXPECT_NE(placement.level(high, at(160)), placement.level(arrived(1), at(160)));
}

/// A V100 is so many times as fast as a T4.
class FasterByType final : public ThroughputEstimate {
 public:
  explicit FasterByType(double times) : times_(times) {}
  [[nodiscard]] std::string name() const override { return "by type"; }
  [[nodiscard]] std::optional<Duration> step_time(const std::string&, const Allocation& place,
                                                  const BatchPlan&) const override {
    return seconds(place.slots.front().gpu == GpuId{0} ? 1.0 : times_);
  }

 private:
  double times_;
};

TEST_F(AlternativesOfPai, AJobThatIsBelievedTwiceAsFastThereNeedsHighEndGpus) {
  for (const auto& [times, ends] : {std::pair{2.0, 2U}, {1.99, 1U}}) {
    Alternatives placement(lists(), std::make_shared<FasterByType>(times));
    placement.begin(shape());
    EXPECT_EQ(changes(placement, arrived(1)).size(), ends) << times;
  }
}

TEST_F(AlternativesOfPai, RelaxedTypesAreAWishUntilTheLastAlternative) {
  AlternativeLists relaxed = lists();
  relaxed.types = AlternativeLists::Types::relaxed;
  Alternatives placement(relaxed);
  placement.begin(shape());
  JobView view = arrived(1, {"T4"});
  EXPECT_EQ(view.types, only_type(1));
  view.types = types_for(shape(), view, placement.relaxes_types());
  EXPECT_EQ(view.types, only_type(0) | only_type(1));
  EXPECT_EQ(placement.types(view, at(159)), only_type(1));
  EXPECT_EQ(placement.types(view, at(160)), view.types);
}

}  // namespace
}  // namespace mimus::scheduler::test
