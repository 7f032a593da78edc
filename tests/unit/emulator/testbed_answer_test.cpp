// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Workloads that submit and cancel jobs in answer to what becomes of others.
#include <map>

#include "emulator/testbed/arrivals.hpp"
#include "testbed_run.hpp"

namespace mimus::emulator::test {
namespace {

using workloads::Answer;
using workloads::JobNews;

/// Two jobs at the beginning. When the first one ends, it cancels the other one and submits two.
class AnsweringStream final : public workloads::JobStream {
 public:
  explicit AnsweringStream(std::vector<workloads::Job> jobs) : jobs_(std::move(jobs)) {}

  [[nodiscard]] std::optional<workloads::Job> next() override {
    if (next_ == 2) return std::nullopt;
    return jobs_[next_++];
  }
  [[nodiscard]] workloads::Hears hears() const override { return workloads::Hears::progress; }
  [[nodiscard]] Answer hear(const JobNews& news) override {
    heard[news.job.value()].push_back(news.what);
    Answer answer;
    if (news.job != JobId{0} || news.what != JobNews::What::finished) return answer;
    answer.submitted = {jobs_[2], jobs_[3]};
    answer.cancelled = {JobId{1}};
    answer.validations.push_back({.job = news.job, .application = "a", .loss = 0.5});
    return answer;
  }
  [[nodiscard]] std::optional<std::int64_t> size() const override { return std::nullopt; }
  [[nodiscard]] std::string source() const override { return "test"; }
  [[nodiscard]] std::string source_hash() const override { return "0"; }
  [[nodiscard]] std::vector<std::string> notes() const override { return {}; }

  std::map<std::int64_t, std::vector<JobNews::What>> heard;

 private:
  std::vector<workloads::Job> jobs_;
  std::size_t next_ = 0;
};

struct AnswerTest : TestbedTest {
  std::map<std::int64_t, results::JobRow> run_answering(Duration round = {}) {
    AnsweringStream stream(workload.jobs);
    settings.round = round;
    auto scheduler = make_scheduler("{order: fifo}");
    results::Recorder recorder(path, {}, level);
    JobTruths truths(models);
    Testbed testbed(stream, truths, scheduler, engine, recorder, settings);
    testbed.run([](const RunProgress&) {});
    recorder.complete();
    heard = stream.heard;
    std::map<std::int64_t, results::JobRow> jobs;
    for (auto& row : rows<results::JobRow>()) jobs[row.job] = row;
    return jobs;
  }
  std::map<std::int64_t, std::vector<JobNews::What>> heard;
};

// Both GPUs are in use until 4 s, when 0 ends: 1 is killed after 4 s on its GPU, 2 and 3 arrive.
TEST_F(AnswerTest, JobsAreSubmittedAndCancelled) {
  add_job(1, 4, 0);
  add_job(1, 100, 0);
  add_job(1, 3, 0);
  add_job(1, 5, 0);

  const auto jobs = run_answering();

  ASSERT_EQ(jobs.size(), 4U);
  EXPECT_EQ(jobs.at(0).outcome, "finished");
  EXPECT_EQ(jobs.at(1).outcome, "killed");
  EXPECT_EQ(jobs.at(1).preemptions, 0);
  EXPECT_DOUBLE_EQ(jobs.at(1).end, 4.0);
  EXPECT_DOUBLE_EQ(jobs.at(1).gpu_seconds, 4.0);
  EXPECT_DOUBLE_EQ(jobs.at(2).arrival, 4.0);
  EXPECT_DOUBLE_EQ(jobs.at(2).end, 7.0);
  EXPECT_DOUBLE_EQ(jobs.at(3).end, 9.0);
  using enum JobNews::What;
  EXPECT_EQ(heard.at(0).back(), finished);
  EXPECT_EQ(heard.at(1), std::vector{killed});
  EXPECT_EQ(heard.at(3), (std::vector{progress, finished}));
  const auto trials = rows<results::TrialRow>();
  ASSERT_EQ(trials.size(), 1U);
  EXPECT_DOUBLE_EQ(trials[0].time, 4.0);
  EXPECT_DOUBLE_EQ(trials[0].loss, 0.5);
}

// The scheduler hears of it all at the end of the round, at 10 s.
TEST_F(AnswerTest, InRoundsAtTheEndOfTheRound) {
  add_job(1, 4, 0);
  add_job(1, 100, 0);
  add_job(1, 3, 0);
  add_job(1, 5, 0);

  const auto jobs = run_answering(std::chrono::seconds{10});

  EXPECT_DOUBLE_EQ(jobs.at(1).end, 10.0);
  EXPECT_DOUBLE_EQ(jobs.at(2).arrival, 4.0);
  EXPECT_DOUBLE_EQ(jobs.at(2).wait_round, 6.0);
  EXPECT_DOUBLE_EQ(jobs.at(2).first_start, 10.0);
}

TEST(ArrivalsTest, SubmittedJobsComeBetweenThoseOfTheStream) {
  workloads::Workload workload;
  for (const int arrival : {0, 10}) {
    workloads::Job job;
    job.id = JobId{static_cast<std::int64_t>(workload.jobs.size())};
    job.arrival = Instant{std::chrono::seconds{arrival}};
    workload.jobs.push_back(job);
  }
  workloads::WorkloadStream stream(workload);
  Arrivals arrivals(stream, std::nullopt);
  const Instant five{std::chrono::seconds{5}};

  EXPECT_EQ(arrivals.take(Instant{}).id, JobId{0});
  workloads::Job between;
  between.id = JobId{7};
  arrivals.submit({between}, five);

  EXPECT_EQ(arrivals.next(), five);
  EXPECT_EQ(arrivals.take(five).id, JobId{7});
  EXPECT_FALSE(arrivals.is_empty());
  EXPECT_EQ(arrivals.take(Instant{std::chrono::seconds{10}}).id, JobId{1});
  EXPECT_TRUE(arrivals.is_empty());
  EXPECT_EQ(arrivals.count(), 3);
  EXPECT_EQ(arrivals.next(), kNever);
}

}  // namespace
}  // namespace mimus::emulator::test
