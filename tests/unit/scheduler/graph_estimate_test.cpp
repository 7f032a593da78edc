// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/estimate/graph_estimate.hpp"

#include <gtest/gtest.h>

#include "builders.hpp"

namespace mimus::scheduler::test {
namespace {

JobView of_graph(const ModelGraph& graph, const char* model = "new") {
  JobView view = job(0);
  view.model.name = model;
  view.model.graph = graph;
  view.requested_batch = 8;
  return view;
}

// Trees part the profiles by FLOP, 0.225 and 0.925, and what is left by batch, -0.025 and +0.025.
TEST(GraphTrees, TellBusyModelsFromIdleOnes) {
  const auto profiles = two_profiles();
  const GraphTrees trees(profiles, "", ProfiledValue::utilisation);

  EXPECT_NEAR(trees.predict(profiles[0].graph, 8), 0.2, 2e-3);
  EXPECT_NEAR(trees.predict(profiles[2].graph, 16), 0.95, 2e-3);
}

TEST(GraphTrees, KnowNothingOfTheModelThatIsLeftOut) {
  const auto profiles = two_profiles();
  const GraphTrees trees(profiles, "heavy", ProfiledValue::utilisation);

  EXPECT_NEAR(trees.predict(profiles[2].graph, 8), 0.225, 1e-9);
}

TEST(GraphTrees, LearnMemoryByItsLogarithm) {
  const auto profiles = two_profiles();
  const GraphTrees trees(profiles, "heavy", ProfiledValue::memory);

  EXPECT_NEAR(trees.predict(profiles[0].graph, 8), std::sqrt(1e9 * 1.1e9), 1.0);
}

// 525 MB + 4 × (2 + 2) × 1e6 + 8 × 2 × 1 MB = 557 MB.
TEST(MemoryByFormula, CountsGradientsOfParametersAndActivations) {
  ModelGraph graph = two_profiles()[0].graph;
  graph.moments = 2;

  EXPECT_NEAR(memory_by_formula(graph, Bytes{525e6}).at(8).value, 557e6, 1.0);
}

TEST(GraphEstimate, LeavesOutTheJobsOwnModelUnlessItIsKnown) {
  const ModelGraph heavy = two_profiles()[2].graph;
  const Policy unknown = policy("{order: utilisation, estimate: {name: graph, known: false}}");
  const Policy known = policy("{order: utilisation}");

  EXPECT_NEAR(*unknown.estimate->utilisation(of_graph(heavy, "heavy")), 0.225, 1e-3);
  EXPECT_NEAR(*unknown.estimate->utilisation(of_graph(heavy, "other")), 0.9, 2e-3);
  EXPECT_NEAR(*known.estimate->utilisation(of_graph(heavy, "heavy")), 0.9, 2e-3);
  EXPECT_EQ(known.estimate->utilisation(of_graph({})), std::nullopt);
}

TEST(Scheduler, BelievesWhatTheEstimateSaysOfUtilisationAndMemory) {
  Scheduler scheduler(shape(1, 1, 3), policy("horus"));
  JobView arriving = of_graph(two_profiles()[0].graph);
  (void)scheduler.on_event(JobArrived{arriving}, at(0));

  const JobView& seen = scheduler.job(JobId{0});
  EXPECT_NEAR(seen.estimated_utilisation, 0.2, 2e-3);
  EXPECT_NEAR(seen.model.memory(8).value, 525e6 + 8e6 + 16e6, 1.0);
}

// 8 × 2 × 3 GB do not fit into 16 GB: the job is taken to fill a GPU, not rejected.
TEST(Scheduler, LetsAJobRunAloneThatIsBelievedNotToFit) {
  Scheduler scheduler(shape(1, 1, 3), policy("horus"));
  ModelGraph graph = two_profiles()[0].graph;
  graph.activations = Bytes{3e9};
  const auto decision = scheduler.on_event(JobArrived{of_graph(graph)}, at(0));

  EXPECT_EQ(actions_of<StartAttempt>(decision).size(), 1U);
  EXPECT_NEAR(scheduler.job(JobId{0}).model.memory(8).value, 16e9, 1.0);
}

TEST(Scheduler, KeepsWhatUsersStateWhereNobodyAsksForUtilisation) {
  Scheduler scheduler(shape(1, 1), policy("{}"));
  (void)scheduler.on_event(JobArrived{of_graph(two_profiles()[0].graph)}, at(0));

  EXPECT_EQ(scheduler.job(JobId{0}).estimated_utilisation, 1.0);
  EXPECT_EQ(scheduler.job(JobId{0}).model.memory(8), facts().memory(8));
}

}  // namespace
}  // namespace mimus::scheduler::test
