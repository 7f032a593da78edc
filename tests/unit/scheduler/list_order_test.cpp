// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "builders.hpp"
#include "driver.hpp"
#include "scheduler/order/least_attained_service.hpp"

namespace mimus::scheduler::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Span = std::pair<Instant, Instant>;

Span span(double from, double until) {
  return {at(from), at(until)};
}

LeastAttainedService in_queue_order() {
  LeastAttainedService::Settings settings;
  settings.limits = {seconds(100)};
  settings.within = LeastAttainedService::Within::queue_order;
  return LeastAttainedService(settings);
}

/// A job on one GPU that has run from `since` to `until`.
JobView stopped(int id, double since, double until, double attained) {
  JobView view = job(id, 1);
  view.attempts = 1;
  view.last_attempt = AttemptId{id};
  view.first_start = at(since);
  view.running_since = at(since);
  view.asked_to_stop = at(until);
  view.queued_since = at(until);
  view.attained_time = seconds(attained);
  return view;
}

JobView runs_since(int id, double since, double attained) {
  JobView view = job(id, 1);
  view.attempts = 1;
  view.attempt = AttemptId{id};
  view.last_attempt = AttemptId{id};
  view.state = JobState::running;
  view.first_start = at(since);
  view.running_since = at(since);
  view.attained_time = seconds(attained);
  return view;
}

// Both are past the limit of 100 GPU-s. The waiting job started earlier.
TEST(QueueOrder, AJobThatRunsStandsBeforeOneThatWaits) {
  const auto las = in_queue_order();
  const JobView waits = stopped(0, 10, 150, 140);
  const JobView runs = runs_since(1, 150, 120);

  EXPECT_LT(las.rank(runs, at(200)), las.rank(waits, at(200)));
}

// At 110 s it enters the second queue, where another job waits.
TEST(QueueOrder, AJobComesInBehindThoseThatWait) {
  const auto las = in_queue_order();
  const JobView waits = stopped(0, 0, 105, 105);
  const JobView comes = runs_since(1, 10, 0);
  (void)las.rank(waits, at(105));

  EXPECT_LT(las.rank(waits, at(110)), las.rank(comes, at(110)));
  EXPECT_EQ(las.next_change(comes, at(110)), at(110) + Duration{1});
  EXPECT_LT(las.rank(comes, at(110) + Duration{1}), las.rank(waits, at(110) + Duration{1}));
  EXPECT_EQ(las.next_change(comes, at(111)), kNever);
}

TEST(QueueOrder, AJobThatIsStoppedStandsBeforeThoseThatWait) {
  const auto las = in_queue_order();
  const JobView early = stopped(0, 0, 150, 150);
  const JobView late = stopped(1, 150, 300, 150);

  EXPECT_LT(las.rank(late, at(300)), las.rank(early, at(300)));
}

TEST(QueueOrder, JobsStoppedTogetherKeepTheirOrder) {
  const auto las = in_queue_order();
  const JobView first = stopped(7, 20, 300, 280);
  const JobView second = stopped(3, 30, 300, 270);

  EXPECT_LT(las.rank(first, at(300)), las.rank(second, at(300)));
}

Driver lists(int gpus, const std::string& more = "") {
  return Driver(shape(1, gpus),
                policy("{order: {name: las, limits: [100 s], within: queue_order" + more +
                       "}, placement: counting, preemption: {name: checkpoint, min_run: 0 s}}"),
                {});
}

// Three GPUs. Job 0 starts first, but enters the second queue at 100 s. Job 1 on two GPUs starts at
// 10 s and enters it at 60 s. Job 2 needs one GPU from 120 s to 170 s: the last one yields, and
// does not take the GPUs of the other one although it started earlier.
TEST(QueueOrder, AWaitingJobStopsNoneOfItsQueue) {
  Driver driver = lists(3);
  driver.submit(job(0, 1, 0), {.work = seconds(300)});
  driver.submit(job(1, 2, 10), {.work = seconds(300)});
  driver.submit(job(2, 1, 120), {.work = seconds(50)});
  driver.run();

  EXPECT_THAT(driver.outcome(0).runs, ElementsAre(span(0, 120), span(170, 350)));
  EXPECT_THAT(driver.outcome(1).runs, ElementsAre(span(10, 310)));
  EXPECT_THAT(driver.violations(), IsEmpty());
}

// One GPU. Job 1 enters the second queue at 250 s, where job 0 has waited since 150 s and takes
// over. Job 0 stays before job 1 even when job 2 has stopped it for 50 s.
TEST(QueueOrder, AJobThatComesInYieldsToOneThatWaits) {
  Driver driver = lists(1);
  driver.submit(job(0, 1, 0), {.work = seconds(300)});
  driver.submit(job(1, 1, 150), {.work = seconds(200)});
  driver.submit(job(2, 1, 300), {.work = seconds(50)});
  driver.run();

  EXPECT_THAT(driver.outcome(0).runs, ElementsAre(span(0, 150), span(250, 300), span(350, 450)));
  EXPECT_THAT(driver.outcome(1).runs, ElementsAre(span(150, 250), span(450, 550)));
}

// One GPU. Job 0 has run for 150 s when job 1 arrives, and is promoted after 150 s of waiting, at
// 300 s: behind job 3, which arrived at 290 s, and before job 4. It does not stop job 2. At 480 s
// it has run for 100 s again.
TEST(QueueOrder, APromotedJobGoesToTheEndOfTheFirstQueue) {
  Driver driver = lists(1, ", promote: 1");
  driver.submit(job(0, 1, 0), {.work = seconds(400)});
  driver.submit(job(1, 1, 150), {.work = seconds(90)});
  driver.submit(job(2, 1, 200), {.work = seconds(90)});
  driver.submit(job(3, 1, 290), {.work = seconds(50)});
  driver.submit(job(4, 1, 310), {.work = seconds(50)});
  driver.run();

  EXPECT_THAT(driver.outcome(2).runs, ElementsAre(span(240, 330)));
  EXPECT_THAT(driver.outcome(3).runs, ElementsAre(span(330, 380)));
  EXPECT_THAT(driver.outcome(4).runs, ElementsAre(span(480, 530)));
  EXPECT_THAT(driver.outcome(0).runs, ElementsAre(span(0, 150), span(380, 480), span(530, 680)));
}

// A stop takes 20 s here. Job 0 is asked to yield as soon as it enters the second queue at 120 s.
// It stands at its end, behind job 1, which entered the queue and was asked to yield at 100 s.
TEST(QueueOrder, WhoIsAskedToStopOnComingInStandsAtTheEnd) {
  const auto las = in_queue_order();
  JobView waits = stopped(1, 0, 120, 120);
  waits.asked_to_stop = at(100);
  JobView comes = stopped(0, 20, 140, 120);
  comes.asked_to_stop = at(120);
  (void)las.rank(waits, at(110));

  EXPECT_LT(las.rank(waits, at(140)), las.rank(comes, at(140)));
}

TEST(QueueOrder, IsWhatYamlSays) {
  const auto row = policy("order: {name: las, limits: [100 s], within: queue_order}");
  const JobView waits = stopped(0, 10, 150, 140);

  EXPECT_LT(row.order->rank(runs_since(1, 150, 120), at(200)), row.order->rank(waits, at(200)));
}

}  // namespace
}  // namespace mimus::scheduler::test
