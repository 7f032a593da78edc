// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include <gtest/gtest.h>

#include "emulator/virtual/pollux_batch_agent.hpp"
#include "emulator/virtual/pollux_replay_engine.hpp"
#include "model_builders.hpp"
#include "pollux_cluster.hpp"
#include "pollux_tables.hpp"

namespace mimus::emulator::test {
namespace {

const workloads::PolluxApplication& cifar10() {
  return *workloads::pollux_application("cifar10");
}

TEST(PolluxBatchAgent, StartsWithTheReferenceBatchOrTheLeastPerReplica) {
  PolluxBatchAgent agent;

  EXPECT_EQ(agent.choose(JobId{1}, cifar10(), 1, 1), (scheduler::BatchPlan{128, 1}));
  EXPECT_EQ(agent.choose(JobId{1}, cifar10(), 2, 8), (scheduler::BatchPlan{32, 1}));
}

TEST(PolluxBatchAgent, LeavesJobsAloneThatDoNotScale) {
  PolluxBatchAgent agent;

  EXPECT_FALSE(agent.choose(JobId{1}, *workloads::pollux_application("ncf"), 1, 1));
}

TEST(PolluxBatchAgent, FitsAnewOnlyForWhatItHasNotSeen) {
  PolluxBatchAgent agent;
  agent.observe({JobId{1}, 1, 2, 128, {1.0, 0.1}, 500.0});
  agent.observe({JobId{1}, 1, 2, 128, {9.0, 0.1}, 700.0});

  ASSERT_NE(agent.of(JobId{1}), nullptr);
  EXPECT_EQ(agent.of(JobId{1})->samples.size(), 1U);
  EXPECT_EQ(agent.of(JobId{1})->noise_scale, 700.0);
  EXPECT_EQ(agent.of(JobId{1})->most_replicas, 2);
  EXPECT_EQ(agent.of(JobId{2}), nullptr);
}

// Steps cost the same whatever their batch and the noise is enormous: as large as allowed.
TEST(PolluxBatchAgent, LargeBatchesPayWhereTheNoiseIsLarge) {
  PolluxBatchAgent agent;
  for (const std::int64_t batch : {128, 1024}) {
    agent.observe({JobId{1}, 1, 4, batch, {1.0, 0.5}, 1e9});
  }

  EXPECT_EQ(agent.choose(JobId{1}, cifar10(), 1, 4), (scheduler::BatchPlan{1024, 1}));
  agent.observe({JobId{1}, 1, 4, 1024, {1.0, 0.5}, std::numeric_limits<double>::infinity()});
  EXPECT_EQ(agent.choose(JobId{1}, cifar10(), 1, 4), (scheduler::BatchPlan{1024, 1}));
  agent.observe({JobId{1}, 1, 4, 1024, {1.0, 0.5}, 0.0});
  EXPECT_EQ(agent.choose(JobId{1}, cifar10(), 1, 4), (scheduler::BatchPlan{32, 1}));
}

// In the test's tables gradients have no noise, so more than the reference batch never pays.
TEST(PolluxReplayEngine, AsksTheAgentAtTheStartAndAfterEveryStretch) {
  const TemporaryFolder folder;
  const workloads::PolluxProfiles profiles(with_tables(folder));
  const auto cluster = small_cluster();
  PolluxBatchAgent agent;
  PolluxReplayEngine engine(cluster, profiles, {.agent = &agent});
  engine.start(attempt_on(1, {0, 1}, "resnet18", 1024));
  std::vector<TimedEvent> happened;

  (void)engine.next(Instant{std::chrono::seconds{60}}, happened);

  const auto& progress = std::get<AttemptProgress>(happened.back().event);
  EXPECT_EQ(progress.windows.front().batch, (scheduler::BatchPlan{64, 1}));
  EXPECT_EQ(agent.of(JobId{1})->samples.size(), 1U);
}

/// Everybody keeps what the workload asks for, first come, first served.
class FirstCome final : public RoundPolicy {
 public:
  [[nodiscard]] NodeLists decide(const std::vector<const TraceJob*>& jobs,
                                 const NodeLists& now) override {
    NodeLists wanted = now;
    auto free = free_beside(now);
    int left = 0;
    for (const int gpus : free) left += gpus;
    for (const TraceJob* job : jobs) {
      if (wanted.contains(job->id) || job->gpus > left) continue;
      wanted[job->id] = take_most_free(free, job->gpus);
      left -= job->gpus;
    }
    return wanted;
  }
};

TEST(PolluxReplayEngine, AdaptedBatchesBeatTheReferenceBatchOnTheMeasuredTrainings) {
  const auto folder = pollux_folder();
  if (!folder) GTEST_SKIP() << "skipped: no shared data";
  const workloads::PolluxProfiles profiles(*folder);
  auto trace = read_trace(*folder, 3);
  trace.resize(40);
  for (TraceJob& job : trace)
    job.batch = std::max(job.application->reference_batch, job.gpus * job.application->per_gpu_min);
  PolluxBatchAgent agent;
  FirstCome policy;

  const auto fixed = PolluxCluster(profiles).run(trace, policy);
  const auto adapted = PolluxCluster(profiles, &agent).run(trace, policy);

  EXPECT_LT(adapted.average_jct, 0.8 * fixed.average_jct);
}

}  // namespace
}  // namespace mimus::emulator::test
