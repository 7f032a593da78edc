// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Hyper-parameter searches.
#include <map>
#include <memory>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/workloads/support.hpp"
#include "workloads/search/halving.hpp"

namespace mimus::workloads {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using What = JobNews::What;

constexpr const char* kBare = "source: search, trials: 6, model: resnet18";
constexpr const char* kSmall =
    "source: search, trials: 6, at_once: 2, model: resnet18, loss_noise: 0";

std::unique_ptr<JobStream> begin(const std::string& keys, std::uint64_t seed = 1) {
  const auto source = make_workload_source(parse_yaml("{" + keys + "}", "w.yaml"), "workload");
  return source->begin({test::catalogue(), seed, 64});
}

std::vector<std::int64_t> first_jobs(JobStream& stream) {
  std::vector<std::int64_t> ids;
  while (auto job = stream.next()) ids.push_back(job->id.value());
  return ids;
}

JobNews news(std::int64_t job, What what, double progress = 0.0, double at = 0.0) {
  return {JobId{job}, what, progress, Instant{from_seconds(at)}};
}

// Losses 4, 2, 3, 1, 1.9 at one rung with a half going on: of none, anything; of {4}, up to 4; of
// {2, 4}, up to 3; of {2, 3, 4}, up to 3; of {1, 2, 3, 4}, up to 2.5.
TEST(Halving, KeepsTheBestQuantileOfThoseBefore) {
  Halving halving({.first_rung = 0.1, .reduction = 2});

  EXPECT_THAT(halving.rungs(), ElementsAre(0.1, 0.2, 0.4, 0.8));
  EXPECT_TRUE(halving.goes_on(0, 4));
  EXPECT_TRUE(halving.goes_on(0, 2));
  EXPECT_TRUE(halving.goes_on(0, 3));
  EXPECT_TRUE(halving.goes_on(0, 1));
  EXPECT_FALSE(halving.goes_on(0, 2.6));
  EXPECT_TRUE(halving.goes_on(1, 9)) << "rungs know nothing of each other";
}

TEST(Search, DrawsTrialsByTheirNumberAlone) {
  const std::string keys = std::string(kSmall) + ", searches: 2, batches: [128, 256]";
  const Workload all = test::make_workload("{" + keys + "}");
  const Workload other = test::make_workload("{" + keys + ", rule: asha}");

  ASSERT_EQ(all.jobs.size(), 12U);
  std::set<std::int64_t> batches;
  for (std::size_t i = 0; i < all.jobs.size(); ++i) {
    const Job& job = all.jobs[i];
    EXPECT_EQ(job.id.value(), static_cast<std::int64_t>(i));
    EXPECT_EQ(job.application, i < 6 ? "search-0" : "search-1");
    EXPECT_GT(job.loss_pace, 0.0);
    EXPECT_LE(job.loss_pace, 1.0);
    EXPECT_EQ(job.loss_pace, other.jobs[i].loss_pace);
    batches.insert(job.total_batch);
  }
  EXPECT_THAT(batches, ElementsAre(128, 256));
  EXPECT_EQ(all.jobs[7].name, "search-1-1");
  EXPECT_NE(all.source_hash, other.source_hash);
}

TEST(Search, SubmitsTheNextTrialWhenOneHasLeft) {
  const auto stream = begin(std::string(kSmall) + ", searches: 2");

  EXPECT_EQ(stream->hears(), Hears::ends);
  EXPECT_EQ(stream->size(), 12);
  EXPECT_THAT(first_jobs(*stream), ElementsAre(0, 1, 6, 7));
  const Answer finished = stream->hear(news(6, What::finished, 1.0, 70));
  const Answer failed = stream->hear(news(7, What::gave_up, 0.0, 80));
  ASSERT_EQ(finished.submitted.size(), 1U);
  EXPECT_EQ(finished.submitted[0].id, JobId{8});
  ASSERT_EQ(failed.submitted.size(), 1U);
  EXPECT_EQ(failed.submitted[0].id, JobId{9});
  ASSERT_EQ(finished.validations.size(), 1U);
  EXPECT_EQ(finished.validations[0].application, "search-1");
  EXPECT_EQ(finished.validations[0].trial, 0);
  EXPECT_EQ(finished.validations[0].progress, 1.0);
  EXPECT_TRUE(failed.validations.empty());
}

TEST(Search, EndsWithItsLastTrial) {
  const auto stream = begin(std::string(kBare) + ", at_once: 6");
  EXPECT_EQ(first_jobs(*stream).size(), 6U);

  EXPECT_TRUE(stream->hear(news(3, What::finished, 1.0)).submitted.empty());
}

// The loss is that of the model's curve at the progress times z·(2 − z).
TEST(Search, ATrialWithTheBestLearningRateLearnsAsItsModel) {
  const std::string best = ", learning_rate: {min: 1, max: 1}";
  const std::string half = ", learning_rate: {min: 0.5, max: 0.5}";
  const auto& curve = test::catalogue().at("resnet18").loss;

  const auto stream = begin(kSmall + best);
  (void)first_jobs(*stream);
  EXPECT_DOUBLE_EQ(stream->hear(news(0, What::finished, 1.0)).validations.at(0).loss,
                   curve.at(1.0));
  const auto slower = begin(kSmall + half);
  (void)first_jobs(*slower);
  EXPECT_DOUBLE_EQ(slower->hear(news(0, What::finished, 1.0)).validations.at(0).loss,
                   curve.at(0.75));
}

// One rung, at a tenth. The first trial goes on whatever its loss; the second does only if it is as
// good.
TEST(Search, StopsATrialThatIsWorseAtARung) {
  const std::string keys =
      std::string(kSmall) + ", rule: asha, halving: {first_rung: 0.1, reduction: 10}";
  int stopped = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto stream = begin(keys, seed);
    const auto jobs = test::make_workload("{" + keys + "}", 64, seed).jobs;
    EXPECT_EQ(stream->hears(), Hears::progress);
    (void)first_jobs(*stream);

    EXPECT_TRUE(stream->hear(news(0, What::progress, 0.05)).validations.empty());
    const Answer first = stream->hear(news(0, What::progress, 0.12, 30));
    const Answer again = stream->hear(news(0, What::progress, 0.2, 40));
    const Answer second = stream->hear(news(1, What::progress, 0.12, 50));

    ASSERT_EQ(first.validations.size(), 1U);
    EXPECT_EQ(first.validations[0].since_arrival, from_seconds(30));
    EXPECT_TRUE(first.cancelled.empty());
    EXPECT_TRUE(again.validations.empty());
    const bool worse = jobs[1].loss_pace < jobs[0].loss_pace;
    EXPECT_EQ(second.cancelled.size(), worse ? 1U : 0U);
    EXPECT_EQ(second.validations.at(0).goes_on, !worse);
    stopped += worse ? 1 : 0;
  }
  EXPECT_GT(stopped, 3);
  EXPECT_LT(stopped, 17);
}

TEST(Search, NothingIsHeardOfAStoppedTrialButItsEnd) {
  const auto stream =
      begin(std::string(kBare) +
            ", at_once: 2, learning_rate: {min: 1, max: 1}, loss_noise: 0.1, rule: asha, halving: "
            "{first_rung: 0.01, reduction: 2}");
  (void)first_jobs(*stream);
  std::int64_t worse = -1;
  for (std::int64_t job = 0; job < 2; ++job) {
    if (!stream->hear(news(job, What::progress, 0.011)).cancelled.empty()) worse = job;
  }
  if (worse < 0) GTEST_SKIP() << "both are good";

  EXPECT_TRUE(stream->hear(news(worse, What::progress, 0.9)).validations.empty());
  const Answer end = stream->hear(news(worse, What::killed));
  EXPECT_TRUE(end.validations.empty());
  EXPECT_EQ(end.submitted.size(), 1U);
}

TEST(Search, SearchesComeInOrderOfTheirArrivals) {
  const Workload workload = test::make_workload(
      "{source: search, trials: 2, searches: 40, model: resnet18, mean_interarrival: 100 s}");

  EXPECT_EQ(workload.jobs.front().arrival, Instant{});
  double last = 0.0;
  for (const Job& job : workload.jobs) {
    const double arrival = to_seconds(job.arrival.time_since_epoch());
    EXPECT_GE(arrival, last);
    last = arrival;
  }
  EXPECT_GT(last, 39 * 100 * 0.5);
  EXPECT_LT(last, 39 * 100 * 1.6);
}

TEST(Search, JobsOfAnswersAreChangedLikeTheOthers) {
  const auto stream = begin(std::string(kSmall) + ", opportunistic: 1");
  (void)first_jobs(*stream);

  EXPECT_TRUE(stream->hear(news(0, What::finished, 1.0)).submitted.at(0).opportunistic);
}

TEST(Search, SaysWhatIsWrong) {
  const auto message = [](const std::string& keys) {
    return test::message_of([&] {
      (void)test::make_workload("{source: search, model: resnet18, trials: 4" + keys + "}", 8);
    });
  };
  EXPECT_THAT(message(", learning_rate: {min: 0.5, max: 2}"), HasSubstr("w.yaml:1:"));
  EXPECT_THAT(message(", learning_rate: {min: 0.5, max: 2}"),
              HasSubstr("0.5 to 2 is no range below 2"));
  EXPECT_THAT(message(", learning_rate: {min: 1, max: 0.5}"), HasSubstr("min <= max"));
  EXPECT_THAT(message(", gang: 16"), HasSubstr("asks for 16 GPUs, but the cluster has 8"));
  EXPECT_THAT(message(", gang: 8, batches: [4]"), HasSubstr("a batch of 4 gives 8 GPUs less"));
  EXPECT_THAT(message(", jobs_at_once: 2"), HasSubstr("set at_once"));
  EXPECT_THAT(message(", draw: {requested: 1}"), HasSubstr("cannot be combined"));
  EXPECT_THAT(message(", halving: {reduction: 2}"), HasSubstr("has no effect with rule: random"));
  EXPECT_THAT(message(", rule: asha, halving: {reduction: 1}"), HasSubstr("halving.reduction"));
}

}  // namespace
}  // namespace mimus::workloads
