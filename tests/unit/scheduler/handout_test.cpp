// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "planned.hpp"
#include "scheduler/admission/quota.hpp"
#include "scheduler/order/fifo.hpp"
#include "scheduler/planner/believed_course.hpp"
#include "scheduler/planner/greedy.hpp"
#include "scheduler/planner/ranked.hpp"

namespace mimus::scheduler::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

/// T(n) = 1 s + 12 s ÷ n. Job i has 10 × (i + 1) steps left and can use at most `most` GPUs.
class TwelveOverN final : public Oracle {
 public:
  explicit TwelveOverN(int most) : most_(most) {}
  [[nodiscard]] std::optional<Duration> run_time(JobId) const override { return std::nullopt; }
  [[nodiscard]] std::optional<double> steps_left(JobId job) const override {
    return 10.0 * static_cast<double>(job.value() + 1);
  }
  [[nodiscard]] std::optional<Duration> step_time(JobId, int gpus) const override {
    return from_seconds(1.0 + 12.0 / gpus);
  }
  [[nodiscard]] int most_gpus(JobId) const override { return most_; }

 private:
  int most_;
};

Greedy greedy(int most = 64) {
  return Greedy({}, std::make_shared<TwelveOverN>(most));
}

/// Steps of 1 s + 12 s ÷ n at 64 samples, as above, but unknown for more than `known` GPUs.
class BelievesTwelveOverN final : public Estimator {
 public:
  explicit BelievesTwelveOverN(std::size_t known) : known_(known) {}
  [[nodiscard]] std::string name() const override { return "twelve over n"; }
  [[nodiscard]] std::optional<double> throughput(const JobView&, const Allocation& allocation,
                                                 const BatchPlan& batch) const override {
    const std::size_t gpus = allocation.slots.size();
    if (gpus > known_) return std::nullopt;
    const auto samples = static_cast<double>(batch.total(gpus));
    return samples / (1.0 + 12.0 / static_cast<double>(gpus));
  }
  [[nodiscard]] std::optional<double> noise_scale(const JobView&) const override {
    return std::nullopt;
  }

 private:
  std::size_t known_;
};

/// Requests one GPU and 64 samples per step: 13 s. `steps` of 40 are left, as stated by the user.
JobView job_with_steps_left(int id, int steps) {
  JobView view = job(id);
  view.gang = view.requested_gang = 1;
  view.requested_batch = 64;
  view.model.per_gpu_batch_min = 1;
  view.model.per_gpu_batch_max = 64;
  view.model.total_batch_max = 64;
  view.estimated_run_time = std::chrono::seconds(40 * 13);
  view.progress.samples_done = 64.0 * (40 - steps);
  return view;
}

Greedy by_estimate() {
  return Greedy({.by = Greedy::By::estimate}, nullptr);
}

Ranked by_arrival(bool passes_over = true) {
  return Ranked({.order = std::make_shared<Fifo>(Fifo::Settings{.skip = passes_over})});
}

// Savings by one more GPU: 12 s × (1/n − 1/(n+1)) × steps = (6, 2, 1, 0.6) × 10 for job 0, twice
// and three times as much for jobs 1 and 2. After 1 each, three more GPUs are given for 180 (job 2
// to 2), 120 (job 1 to 2) and then 60: job 0 to 2 and job 2 to 3 save the same, and job 0 is
// earlier.
TEST(Greedy, GivesEachGpuToTheJobThatGainsMost) {
  const std::vector<JobView> jobs{job(0), job(1), job(2)};

  EXPECT_THAT(planned(greedy(), jobs, 6), ElementsAre(Pair(0, 2), Pair(1, 2), Pair(2, 2)));
  EXPECT_THAT(planned(greedy(), jobs, 7), ElementsAre(Pair(0, 2), Pair(1, 2), Pair(2, 3)));
}

JobView of_replicas(int id, int gpus_each) {
  JobView view = job(id, 2 * gpus_each);
  view.replica_gpus = gpus_each;
  return view;
}

// A replica of job 1 takes four GPUs. Its second one saves 12 s × (1/4 − 1/8) × 20 = 30, 7.5 per
// GPU: less than what job 0 saves by its fourth GPU, 10, and more than by its fifth, 6.
TEST(Greedy, GivesSplitModelsWholeReplicasByTheirGainPerGpu) {
  const std::vector<JobView> jobs{job(0), of_replicas(1, 4)};

  EXPECT_THAT(planned(greedy(), jobs, 12), ElementsAre(Pair(0, 4), Pair(1, 8)));
  EXPECT_THAT(planned(greedy(), jobs, 10), ElementsAre(Pair(1, 4), Pair(0, 6)))
      << "a second replica does not fit when it is its turn";
  EXPECT_THAT(planned(greedy(), {of_replicas(1, 4), job(0)}, 3), ElementsAre(Pair(0, 3)));
  EXPECT_THAT(planned(greedy(7), {of_replicas(1, 4)}, 64), ElementsAre(Pair(1, 4)))
      << "two replicas are more than it can use";
}

TEST(Greedy, CountsReplicasByWhatIsBelieved) {
  JobView split = job_with_steps_left(1, 20);
  split.replica_gpus = 4;

  EXPECT_THAT(planned(by_estimate(), {split}, 11, AcceptAll(), BelievesTwelveOverN(64)),
              ElementsAre(Pair(1, 8)));
}

// The same savings as above: 10, 20 and 30 steps are left.
TEST(Greedy, GivesByWhatIsBelieved) {
  const std::vector<JobView> jobs{job_with_steps_left(0, 10), job_with_steps_left(1, 20),
                                  job_with_steps_left(2, 30)};
  const auto sizes = [&](int gpus, std::size_t known) {
    return planned(by_estimate(), jobs, gpus, AcceptAll(), BelievesTwelveOverN(known));
  };
  EXPECT_THAT(sizes(6, 64), ElementsAre(Pair(0, 2), Pair(1, 2), Pair(2, 2)));
  EXPECT_THAT(sizes(7, 64), ElementsAre(Pair(0, 2), Pair(1, 2), Pair(2, 3)));
  EXPECT_THAT(sizes(12, 2), ElementsAre(Pair(0, 2), Pair(1, 2), Pair(2, 2)));
}

/// Steps of 6.23 s on one GPU and 3.94 s on two, whatever the batch, and 64,000 samples left.
class KnowsWhatIsLeft final : public Estimator {
 public:
  [[nodiscard]] std::string name() const override { return "left"; }
  [[nodiscard]] std::optional<double> throughput(const JobView& job, const Allocation& allocation,
                                                 const BatchPlan&) const override {
    const double step = allocation.slots.size() == 1 ? 6.23 : 3.94;
    return static_cast<double>(job.requested_batch) / step;
  }
  [[nodiscard]] std::optional<double> noise_scale(const JobView& job) const override {
    return job.progress.noise_scale > 0.0 ? std::optional(job.progress.noise_scale) : std::nullopt;
  }
  [[nodiscard]] std::optional<double> samples_left(const JobView&) const override {
    return 64000.0;
  }
};

double steps_left(const JobView& job) {
  const Cluster cluster(shape(1, 4));
  const AcceptAll admission;
  const KnowsWhatIsLeft estimate;
  Counter counter(4);
  return *BelievedCourse({at(0), {}, cluster, admission, estimate, counter}).steps_left(job);
}

// With M0 = 32 and φ = 96 a step of 64 samples gains 64 × 128 ÷ 160 = 51.2.
TEST(BelievedCourse, CountsStepsByWhatTheyGain) {
  JobView job = job_with_steps_left(0, 1);
  EXPECT_DOUBLE_EQ(steps_left(job), 1000.0);

  job.progress.noise_scale = 96.0;

  EXPECT_DOUBLE_EQ(steps_left(job), 1250.0);
}

TEST(Greedy, LeavesJobsOfWhichNothingIsBelievedTheirOneGpu) {
  JobView unstated = job_with_steps_left(1, 20);
  unstated.estimated_run_time = Duration{};
  const JobView stated = job_with_steps_left(0, 10);
  const auto sizes = [](const JobView& job, std::size_t known) {
    return planned(by_estimate(), {job}, 4, AcceptAll(), BelievesTwelveOverN(known));
  };
  EXPECT_THAT(sizes(stated, 64), ElementsAre(Pair(0, 4)));
  EXPECT_THAT(sizes(unstated, 64), ElementsAre(Pair(1, 1)));
  EXPECT_THAT(sizes(stated, 0), ElementsAre(Pair(0, 1)));
}

TEST(Greedy, GivesOneGpuInOrderOfArrivalWhileThereAreAny) {
  EXPECT_THAT(planned(greedy(), {job(2), job(0), job(1)}, 2), ElementsAre(Pair(2, 1), Pair(0, 1)));
}

TEST(Greedy, StopsWhereAJobCannotUseMore) {
  EXPECT_THAT(planned(greedy(3), {job(0), job(1)}, 64), ElementsAre(Pair(0, 3), Pair(1, 3)));
  EXPECT_THAT(planned(greedy(), {}, 64), IsEmpty());
}

TEST(Greedy, AnswersInAscendingSize) {
  EXPECT_THAT(planned(greedy(), {job(2), job(0)}, 4), ElementsAre(Pair(0, 1), Pair(2, 3)));
}

Quota quota(int of_default, int of_other) {
  return Quota({.quotas = {{"default", of_default}, {"other", of_other}}, .others = {}});
}

// After 1 each, job 1 gains 120 by a second GPU and job 0 gains 60. Their four GPUs are then used
// up. Of the three jobs with a quota of two, the last one gets nothing although GPUs are left.
TEST(Greedy, CountsWhatAGroupHasBeenGiven) {
  EXPECT_THAT(planned(greedy(), {job(0), job(1)}, 64, quota(4, 0)),
              ElementsAre(Pair(0, 2), Pair(1, 2)));
  EXPECT_THAT(planned(greedy(), {job(0), job(1), job(2), job_of("other", 3)}, 4, quota(2, 2)),
              ElementsAre(Pair(0, 1), Pair(1, 1), Pair(3, 2)));
}

TEST(Ranked, PassesOverWhatIsOverQuota) {
  const std::vector<JobView> jobs{job(0, 4), job(1, 4), job(2, 2), job_of("other", 3, 4)};

  EXPECT_THAT(planned(by_arrival(), jobs, 8, quota(4, 4)), ElementsAre(Pair(0, 4), Pair(3, 4)));
  EXPECT_THAT(planned(by_arrival(), jobs, 10, quota(6, 4)),
              ElementsAre(Pair(0, 4), Pair(2, 2), Pair(3, 4)));
}

// In a queue that blocks, job 1 makes job 2 of its own group wait, but not job 3.
TEST(Ranked, ClosesTheGroupOfWhatIsOverQuota) {
  const std::vector<JobView> jobs{job(0, 4), job(1, 4), job(2, 2), job_of("other", 3, 4)};

  EXPECT_THAT(planned(by_arrival(false), jobs, 10, quota(6, 4)),
              ElementsAre(Pair(0, 4), Pair(3, 4)));
}

// Job 1 takes the two GPUs that its quota lacks from the idle ones, and no more.
TEST(Ranked, BorrowsWhatNobodyWasGiven) {
  const Quota borrowing({.quotas = {{"default", 4}, {"other", 4}}, .others = {}, .borrow = true});
  const std::vector<JobView> jobs{job(0, 4), job(1, 2), job_of("other", 2, 4)};

  EXPECT_THAT(planned(by_arrival(), jobs, 8, borrowing), ElementsAre(Pair(0, 4), Pair(1, 2)));
}

// 4 GPUs: the second job does not fit. The third one passes it unless the order blocks.
TEST(Ranked, TakesWhateverFitsInOrderOfRank) {
  const std::vector<JobView> jobs{job(0, 2), job(1, 3), job(2, 2)};

  EXPECT_THAT(planned(by_arrival(), jobs, 4), ElementsAre(Pair(0, 2), Pair(2, 2)));
  EXPECT_THAT(planned(by_arrival(false), jobs, 4), ElementsAre(Pair(0, 2)));
}

TEST(UsersBatch, IsAccumulatedOnASingleReplicaWhenItsNoiseIsMeasured) {
  JobView view = job(0, 1);
  view.requested_batch = 48;  // M0 is 32, a GPU takes 64
  const NoEstimate none;
  const BatchLimits limits{.per_gpu_min = 8, .per_gpu_max = 64, .total_max = 1024};
  const auto plan = [&](const char* yaml) {
    return policy(yaml).batch->plan({view, nullptr, limits, none});
  };

  EXPECT_EQ(plan("batch: fixed"), (BatchPlan{48, 1}));
  EXPECT_EQ(plan("batch: {name: fixed, measurable: true}"), (BatchPlan{24, 2}));
  view.requested_batch = 32;
  EXPECT_EQ(plan("batch: {name: fixed, measurable: true}"), (BatchPlan{32, 1}));
}

}  // namespace
}  // namespace mimus::scheduler::test
