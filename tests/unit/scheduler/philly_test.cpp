// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Queues per virtual cluster (Philly, ATC'19), with cases that can be followed by hand. Nodes have
// eight GPUs, jobs run for an hour unless they say so.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "builders.hpp"
#include "driver.hpp"
#include "scheduler/planner/philly/tries.hpp"

namespace mimus::scheduler::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr double kHour = 3600.0;

std::string philly_row(const std::string& settings, const std::string& quotas = "{A: 8, B: 8}",
                       bool borrow = true) {
  return "{planner: {name: philly" + settings + "}, admission: {name: quota, gpus: " + quotas +
         ", borrow: " + (borrow ? "true" : "false") + "}}";
}

/// What is decided until `until` [s]: "seconds start of job" and "seconds stop of attempt".
class PhillyRun {
 public:
  explicit PhillyRun(const std::string& yaml, int nodes = 2)
      : driver_(shape(nodes, 8), policy(yaml), {}) {
    driver_.watch([this](std::span<const Event>, Instant now, const Decision& decision) {
      EXPECT_EQ(decision.refused_plan, "");
      for (const Action& action : decision.actions) note(action, now);
    });
  }
  PhillyRun& submit(const char* virtual_cluster, int id, int gang, double arrival,
                    double work = kHour) {
    JobView job = job_of(virtual_cluster, id, gang, arrival);
    job.group = "sweep";
    driver_.submit(job, {.work = seconds(work)});
    return *this;
  }
  [[nodiscard]] const std::vector<std::string>& decisions() {
    driver_.run();
    EXPECT_THAT(driver_.violations(), IsEmpty());
    return lines_;
  }

 private:
  void note(const Action& action, Instant now) {
    const double t = to_seconds(now.time_since_epoch());
    if (t > 1000.0) return;
    if (const auto* start = std::get_if<StartAttempt>(&action)) {
      lines_.push_back(fmt::format("{} start {} on {}", t, start->job.value(),
                                   fmt::join(gpus_of(start->allocation), ",")));
    } else if (const auto* move = std::get_if<ResizeAttempt>(&action)) {
      lines_.push_back(fmt::format("{} move {} to {}", t, move->job.value(),
                                   fmt::join(gpus_of(move->allocation), ",")));
    } else if (const auto* stop = std::get_if<StopAttempt>(&action)) {
      lines_.push_back(fmt::format("{} stop attempt {}", t, stop->attempt.value()));
    }
  }

  Driver driver_;
  std::vector<std::string> lines_;
};

// With 14 of 16 GPUs held (0.875) nothing is reclaimed, with 15 it is: of A, which is 4 above its
// quota, only the newest job, so that A keeps 8.
TEST(Philly, ReclaimsBorrowedGpusOnceNearlyAllAreHeld) {
  PhillyRun run(philly_row(", any_after: 1 h, rack_after: 1 h"));
  run.submit("A", 0, 4, 0).submit("A", 1, 4, 10).submit("A", 2, 4, 20).submit("B", 3, 2, 30);
  run.submit("B", 4, 4, 40).submit("B", 5, 1, 50);

  EXPECT_THAT(run.decisions(),
              ElementsAre("0 start 0 on 0,1,2,3", "10 start 1 on 4,5,6,7",
                          "20 start 2 on 8,9,10,11", "30 start 3 on 12,13", "50 start 5 on 14",
                          "160 stop attempt 2", "160 start 4 on 8,9,10,11"));
}

// The newest job of A is spread over both nodes, 2 + 2. Without it no node has four GPUs free, and
// A is at its quota: nothing is stopped until locality is relaxed.
TEST(Philly, ReclaimsOnlyWhatMakesRoomAtTheLevelOfTheJob) {
  PhillyRun run(philly_row(", rack_after: 100 s, any_after: 100 s"));
  run.submit("B", 0, 4, 0).submit("A", 1, 2, 1).submit("A", 2, 6, 2).submit("A", 3, 4, 3);
  run.submit("B", 4, 4, 200);

  EXPECT_THAT(
      run.decisions(),
      ElementsAre("0 start 0 on 0,1,2,3", "1 start 1 on 4,5", "2 start 2 on 8,9,10,11,12,13",
                  "123 start 3 on 6,7,14,15", "320 stop attempt 3", "320 start 4 on 6,7,14,15"));
}

TEST(Philly, NeverReclaimsWhereToldNotTo) {
  PhillyRun run(philly_row(", reclaim_above: 1", "{A: 8, B: 8}"));
  run.submit("A", 0, 8, 0).submit("A", 1, 8, 1).submit("B", 2, 1, 2);

  EXPECT_THAT(run.decisions(),
              ElementsAre("0 start 0 on 0,1,2,3,4,5,6,7", "1 start 1 on 8,9,10,11,12,13,14,15"));
}

// Job 3 backs off from 10 s to 130 s. At 50 s it could start, so that A may not borrow.
TEST(Philly, LendsNothingThatAJobWithinItsQuotaCouldUse) {
  PhillyRun run(philly_row("", "{A: 4, B: 8}"), 1);
  run.submit("A", 0, 4, 0).submit("B", 1, 4, 0, 50).submit("A", 2, 4, 5).submit("B", 3, 4, 10);

  EXPECT_THAT(run.decisions(), ElementsAre("0 start 0 on 0,1,2,3", "0 start 1 on 4,5,6,7",
                                           "130 start 3 on 4,5,6,7"));
}

// B has used none of its quota, so its job is first although it came later.
TEST(Philly, BeginsWithTheVirtualClusterFurthestBelowItsQuota) {
  PhillyRun run(philly_row(", backoff: 0 s"), 1);
  run.submit("A", 0, 2, 0).submit("C", 1, 6, 0, 50).submit("A", 2, 6, 10).submit("B", 3, 6, 20);

  EXPECT_THAT(run.decisions(), ElementsAre("0 start 0 on 0,1", "0 start 1 on 2,3,4,5,6,7",
                                           "50 start 3 on 2,3,4,5,6,7"));
}

// The second job of A is over its quota until 300 s. Only from then on it waits for locality, for
// 100 s, and is tried again 120 s after its first try.
TEST(Philly, RelaxesLocalityByTheTimeSinceAJobWasSchedulable) {
  PhillyRun run(philly_row(", rack_after: 100 s, any_after: 100 s", "{A: 8}", false));
  run.submit("B", 0, 5, 0).submit("B", 1, 5, 0).submit("A", 2, 2, 0, 300).submit("A", 3, 2, 0, 300);
  run.submit("A", 4, 6, 10);

  EXPECT_THAT(run.decisions(),
              ElementsAre("0 start 0 on 0,1,2,3,4", "0 start 1 on 8,9,10,11,12", "0 start 2 on 5,6",
                          "0 start 3 on 13,14", "420 start 4 on 5,6,7,13,14,15"));
}

TEST(Philly, LeavesLongJobsTheirLocality) {
  PhillyRun run(
      "{planner: {name: philly, rack_after: 0 s, any_after: 0 s, strict_from: 80 s}, "
      "estimate: oracle}");
  run.submit("A", 0, 6, 0).submit("A", 1, 6, 0).submit("A", 2, 4, 1).submit("A", 3, 4, 2);

  EXPECT_THAT(run.decisions(),
              ElementsAre("0 start 0 on 0,1,2,3,4,5", "0 start 1 on 8,9,10,11,12,13",
                          "1 start 2 on 6,7,14,15"));
}

TEST(Philly, GivesGangsNodesOfTheirOwn) {
  PhillyRun run("{planner: {name: philly, nodes: dedicated}}");
  run.submit("A", 0, 2, 0).submit("A", 1, 2, 1).submit("A", 2, 1, 2).submit("A", 3, 8, 3);

  EXPECT_THAT(run.decisions(), ElementsAre("0 start 0 on 0,1", "1 start 1 on 8,9", "2 start 2 on 2",
                                           "123 start 3 on 3,4,10,11,12,13,14,15"));
}

// Two GPUs are free on either node. The gang of two is the smallest one without which a node has
// four.
TEST(Philly, MovesASmallGangOutOfTheWayOfALargerOne) {
  PhillyRun run("{planner: {name: philly, defragment: 5 min}}");
  run.submit("A", 0, 4, 0).submit("A", 1, 2, 1).submit("A", 2, 6, 2).submit("A", 3, 4, 3);

  EXPECT_THAT(run.decisions(), ElementsAre("0 start 0 on 0,1,2,3", "1 start 1 on 4,5",
                                           "2 start 2 on 8,9,10,11,12,13", "3 move 1 to 14,15",
                                           "3 start 3 on 4,5,6,7"));
}

// Nothing is gained where as many GPUs move as the gang has, and more; nor where they find no room.
TEST(Philly, MovesNothingWhereThatMakesNoRoom) {
  PhillyRun run("{planner: {name: philly, defragment: 5 min, rack_after: 1 h, any_after: 1 h}}");
  run.submit("A", 0, 6, 0).submit("A", 1, 7, 1).submit("A", 2, 3, 2);

  EXPECT_THAT(run.decisions(),
              ElementsAre("0 start 0 on 0,1,2,3,4,5", "1 start 1 on 8,9,10,11,12,13,14"));
}

/// What moves for a gang of eight at 60 s. Job 1, which has moved at 3 s, has two GPUs of one node,
/// and job 0 four of the other one.
std::string second_move(const std::string& rest) {
  PhillyRun run("{planner: {name: philly, defragment: 1 s, rest: " + rest + "}}");
  run.submit("A", 0, 4, 0).submit("A", 1, 2, 1).submit("A", 2, 6, 2, 48).submit("A", 3, 4, 3, 50);
  run.submit("A", 4, 8, 60);
  for (const std::string& line : run.decisions()) {
    if (line.starts_with("60 move")) return line;
  }
  return "";
}

TEST(Philly, LeavesAMovedJobWhereItIsForAWhile) {
  EXPECT_EQ(second_move("10 s"), "60 move 1 to 4,5");
  EXPECT_EQ(second_move("10 min"), "60 move 0 to 8,9,10,11");
}

// The first gang runs on one GPU of the pool for ten minutes, then as a whole elsewhere; the second
// one, of the same group, at once. Gangs of one are not probed.
TEST(Philly, ProbesGangsOnASingleGpuFirst) {
  PhillyRun run("{planner: {name: philly, probe_nodes: 1, probe_limit: 10 min}}");
  run.submit("A", 0, 4, 0).submit("A", 1, 4, 700).submit("A", 2, 1, 800);

  EXPECT_THAT(run.decisions(),
              ElementsAre("0 start 0 on 0", "600 stop attempt 0", "600 start 0 on 8,9,10,11",
                          "700 start 1 on 12,13,14,15"));
}

// On clocks that do not wait the plan of an instant comes later. Its tries are made then, once, and
// not by plans that come earlier.
TEST(PhillyTries, AreMadeInThePlanThatComesLate) {
  const auto at = [](double t) { return Instant{seconds(t)}; };
  Tries tries({});
  const JobView job = job_of("A", 0);
  tries.is_schedulable(job, at(4), true);
  ASSERT_TRUE(tries.is_due(job.id, at(4)));
  tries.failed(job.id, at(4));
  tries.something_changed();
  ASSERT_EQ(tries.ask_for_next(at(30)), at(124));

  EXPECT_FALSE(tries.is_due(job.id, at(100)));
  EXPECT_TRUE(tries.is_due(job.id, at(124.003)));
  tries.failed(job.id, at(124.003));
  tries.something_changed();
  EXPECT_EQ(tries.ask_for_next(at(124.003)), at(244.003));
  EXPECT_FALSE(tries.is_due(job.id, at(130)));
}

}  // namespace
}  // namespace mimus::scheduler::test
