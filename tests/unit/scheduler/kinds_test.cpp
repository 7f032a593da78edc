// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "builders.hpp"
#include "scheduler/books/fit.hpp"
#include "scheduler/placement/affinity.hpp"
#include "scheduler/placement/pack.hpp"
#include "scheduler/sharing/exclusive.hpp"
#include "scheduler/sharing/tenants.hpp"

namespace mimus::scheduler::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

JobView of_model(const char* model) {
  JobView view = job(0);
  view.model.name = model;
  return view;
}

TEST(JobKinds, AreNoneWhereNoChoiceTellsJobsApart) {
  JobKinds kinds({});

  EXPECT_EQ(kinds.of(of_model("bert-base"), 1), nullptr);
  for (const char* row : {"{}", "{placement: strict, sharing: tenants}", "sharing: fraction"}) {
    const Policy plain = policy(row);
    EXPECT_FALSE((plain.placement->kind_traits() | plain.sharing->kind_traits()).any()) << row;
  }
}

TEST(JobKinds, AreKeptOnceEachAndNumberedAsTheyCome) {
  JobKinds kinds({.gang = true, .model = true});
  const JobKind* bert = kinds.of(of_model("bert-base"), 2);
  const JobKind* yolo = kinds.of(of_model("yolov3"), 2);

  EXPECT_EQ(kinds.of(of_model("bert-base"), 2), bert);
  EXPECT_NE(kinds.of(of_model("bert-base"), 4), bert);
  EXPECT_EQ(bert->number, 0);
  EXPECT_EQ(yolo->number, 1);
  EXPECT_EQ(yolo->model, "yolov3");
}

TEST(JobKinds, DifferInTheTraitsThatAreAskedForOnly) {
  JobKinds by_model({.model = true});

  EXPECT_EQ(by_model.of(of_model("bert-base"), 1), by_model.of(of_model("bert-base"), 8));
}

/// Nodes of four GPUs and their tenants.
class KindCluster {
 public:
  explicit KindCluster(KindTraits by, int nodes = 2, int lanes = 1)
      : kinds_(by), cluster_(shape(nodes, 4, lanes)) {}

  void hold(const char* model, const std::vector<int>& gpus) {
    const JobView view = of_model(model);
    const int id = next_++;
    cluster_.allocate(JobId{id}, AttemptId{id}, slots(cluster_, gpus), Bytes{1e9},
                      kinds_.of(view, static_cast<int>(gpus.size())));
  }
  [[nodiscard]] std::vector<int> place(const Sharing& sharing, const Placement& placement,
                                       const char* model, int gang) {
    const Fit fit(cluster_, sharing, placement);
    const auto found =
        fit.find({.gang = gang, .memory = Bytes{1e9}, .kind = kinds_.of(of_model(model), gang)});
    return found ? gpus_of(*found) : std::vector<int>{};
  }

 private:
  JobKinds kinds_;
  Cluster cluster_;
  int next_ = 100;
};

std::vector<int> by_gang(KindCluster& cluster, int gang) {
  return cluster.place(Exclusive(), Affinity({}), "resnet18", gang);
}

// Node 0 hosts a gang of two and has two free GPUs; node 1 is empty.
TEST(AffinityPlacement, TakesTheNodeOfItsGangSizeAndElseOneWithoutTenants) {
  KindCluster cluster({.gang = true});
  cluster.hold("bert-base", {0, 1});

  EXPECT_THAT(by_gang(cluster, 4), ElementsAre(4, 5, 6, 7));
  EXPECT_THAT(by_gang(cluster, 2), ElementsAre(2, 3));
  EXPECT_THAT(by_gang(cluster, 1), ElementsAre(4));
}

// No node is empty and none hosts a single GPU, so the node with the lowest load is taken.
TEST(AffinityPlacement, TakesAnotherAffinityBeforeItWaits) {
  KindCluster cluster({.gang = true});
  cluster.hold("bert-base", {0, 1, 2});
  cluster.hold("bert-base", {4, 5});

  EXPECT_THAT(by_gang(cluster, 1), ElementsAre(6));
  EXPECT_THAT(by_gang(cluster, 3), IsEmpty());
}

// Both nodes host gangs of two; node 1 has more free GPUs.
TEST(AffinityPlacement, TakesTheLowestLoadAmongEquals) {
  KindCluster cluster({.gang = true}, 3);
  cluster.hold("bert-base", {0, 1});
  cluster.hold("bert-base", {4, 8});
  cluster.hold("yolov3", {5});

  // Node 0: a gang of 2 twice. Node 1: one place of a gang of 2 and one of a single GPU; the gang
  // of 2 came first. Node 2: one place of a gang of 2.
  EXPECT_THAT(by_gang(cluster, 2), ElementsAre(9, 10));
}

TEST(AffinityPlacement, IsWhatMostPlacesOfANodeAreOf) {
  KindCluster cluster({.gang = true});
  cluster.hold("bert-base", {0, 1});
  cluster.hold("yolov3", {2});
  cluster.hold("bert-base", {4, 5, 6});

  EXPECT_THAT(by_gang(cluster, 1), ElementsAre(3)) << "both are of others: the lowest node";
  cluster.hold("yolov3", {3});  // two places each; the kind that came first still counts
  EXPECT_THAT(by_gang(cluster, 1), ElementsAre(7));
}

TEST(AffinityPlacement, PutsGangsLargerThanANodeOnTheFewestNodes) {
  KindCluster cluster({.gang = true}, 3);
  cluster.hold("bert-base", {0});

  EXPECT_THAT(by_gang(cluster, 6), ElementsAre(1, 2, 4, 5, 6, 7));
  EXPECT_THAT(by_gang(cluster, 12), IsEmpty());
}

TEST(AffinityPlacement, ByModelKeepsJobsOfAModelTogether) {
  KindCluster cluster({.model = true});
  cluster.hold("bert-base", {0});
  cluster.hold("yolov3", {4, 5});
  const auto place = [&](const char* model) {
    return cluster.place(Exclusive(), Affinity({Affinity::By::model}), model, 1);
  };

  EXPECT_THAT(place("yolov3"), ElementsAre(6));
  EXPECT_THAT(place("bert-base"), ElementsAre(1));
  EXPECT_THAT(place("resnet18"), ElementsAre(1)) << "the lower load of two others";
}

// GPUs 0 and 1 have a gang of two, GPU 2 a single job; all of node 0 is to be shared.
TEST(TenantsOfTheSameGang, JoinJobsWithAsManyGpus) {
  KindCluster cluster({.gang = true}, 1, 2);
  cluster.hold("bert-base", {0, 1});
  cluster.hold("yolov3", {2});
  const Tenants any({.prefer = Tenants::Prefer::shared});
  const Tenants same({.prefer = Tenants::Prefer::shared, .same_gang = true});

  EXPECT_THAT(cluster.place(any, Pack(), "resnet18", 1), ElementsAre(0));
  EXPECT_THAT(cluster.place(same, Pack(), "resnet18", 1), ElementsAre(2));
  EXPECT_THAT(cluster.place(same, Pack(), "resnet18", 2), ElementsAre(0, 1));
  EXPECT_THAT(cluster.place(any, Pack(), "resnet18", 4), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(cluster.place(same, Pack(), "resnet18", 4), IsEmpty());
}

// Two models request the same: one request, unless placement distinguishes models.
TEST(SchedulerWithAffinity, StartsJobsBesideThoseLikeThem) {
  Scheduler scheduler(shape(2, 2), policy("placement: {name: affinity, by: model}"));
  const auto start = [&](int id, const char* model) {
    JobView view = job(id);
    view.model.name = model;
    const auto starts =
        actions_of<StartAttempt>(scheduler.on_event(JobArrived{std::move(view)}, at(id)));
    return gpus_of(starts.at(0).allocation);
  };

  EXPECT_THAT(start(0, "bert-base"), ElementsAre(0));
  EXPECT_THAT(start(1, "yolov3"), ElementsAre(2));
  EXPECT_THAT(start(2, "yolov3"), ElementsAre(3));
  EXPECT_THAT(start(3, "bert-base"), ElementsAre(1));
}

}  // namespace
}  // namespace mimus::scheduler::test
