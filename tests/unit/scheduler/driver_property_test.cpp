// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <numeric>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "builders.hpp"
#include "random_run.hpp"
#include "reference_scheduler.hpp"

namespace mimus::scheduler::test {
namespace {

std::string lines_of(const Decision& decision) {
  std::string text = fmt::format("wake up {}\n", to_seconds(decision.wake_up));
  for (const Action& action : decision.actions) text += text_of(action) + "\n";
  return text;
}

/// Where the decisions of the reference differ for the same events, or "".
std::string difference(const Row& row, std::uint64_t seed, int jobs) {
  RandomRun run = random_run(row, seed, jobs);
  ReferenceScheduler reference(run.shape, policy(yaml_of(row)));
  std::string difference;
  run.driver.watch([&](std::span<const Event> events, Instant now, const Decision& decision) {
    const Decision expected = reference.on_events(events, now);
    if (!difference.empty() || lines_of(decision) == lines_of(expected)) return;
    difference = fmt::format("at {} s\n{}instead of\n{}", to_seconds(now), lines_of(decision),
                             lines_of(expected));
  });
  run.driver.run(3'000);
  return difference;
}

TEST(IndexedPreemption, DecidesAsRankingAllRunningJobsAnew) {
  std::uint64_t seed = 1000;
  for (const Row& row : covering_rows()) {
    if (has(row, "preemption", "none")) continue;

    EXPECT_EQ(difference(row, ++seed, 30), "") << yaml_of(row) << " seed " << seed;
  }
}

// Interchangeable GPUs, where victims are counted and not tried, and shares of GPUs, whose service
// drifts by thousandths.
TEST(IndexedPreemption, DecidesAsTryingEveryVictim) {
  EXPECT_TRUE(rc::check("no decision differs", [] {
    const auto order = *rc::gen::element<std::string>(
        "sjf", "srtf", "srsf", "{name: las, quantum: 3 s}", "{name: las, limits: [30 s, 90 s]}",
        "{name: las, limits: [30 s], promote: 2}",
        "{name: las, limits: [30 s, 90 s], promote: 3, within: queue_order}",
        "{name: gittins, limits: [5 s, 20 s], warm_up: 3, refit: 1}");
    const auto placement = *rc::gen::element<std::string>("counting", "pack", "strict");
    const auto stop = *rc::gen::element<std::string>("{name: checkpoint, min_run: 0 s}",
                                                     "{name: checkpoint, min_run: 9 s}");
    const auto sharing = *rc::gen::element<std::string>("exclusive", "fraction", "tenants");
    const Row row{
        {"order", order}, {"placement", placement}, {"preemption", stop}, {"sharing", sharing}};
    const auto seed = *rc::gen::inRange<std::uint64_t>(1, 1'000'000);

    const std::string found = difference(row, seed, 40);

    if (!found.empty()) RC_FAIL(yaml_of(row) + "\n" + found);
  }));
}

// With quotas, where a job may ask only its own virtual cluster to yield.
TEST(IndexedPreemption, DecidesAsTryingEveryVictimOfAVirtualCluster) {
  EXPECT_TRUE(rc::check("no decision differs", [] {
    const auto order = *rc::gen::element<std::string>("sjf", "srtf", "{name: sjf, skip: false}",
                                                      "{name: las, quantum: 3 s}",
                                                      "{name: las, limits: [30 s, 90 s]}");
    const auto placement = *rc::gen::element<std::string>("counting", "pack", "strict");
    const auto stop = *rc::gen::element<std::string>("{name: checkpoint, min_run: 0 s}",
                                                     "{name: checkpoint, min_run: 9 s}");
    const auto quota = *rc::gen::element<std::string>("{name: quota, gpus: {red: 5, blue: 3}}",
                                                      "{name: quota, gpus: {red: 4}, borrow: true}",
                                                      "{name: quota, gpus: {red: 0}, others: 4}");
    const Row row{
        {"order", order}, {"placement", placement}, {"preemption", stop}, {"admission", quota}};
    const auto seed = *rc::gen::inRange<std::uint64_t>(1, 1'000'000);

    const std::string found = difference(row, seed, 40);

    if (!found.empty()) RC_FAIL(yaml_of(row) + "\n" + found);
  }));
}

/// Charges every job's waits itself, by asking for the causes after every decision.
class WaitLedger {
 public:
  explicit WaitLedger(const Scheduler& scheduler) : scheduler_(scheduler) {}

  void after(Instant now, const Decision& decision) {
    for (const Action& action : decision.actions) {
      if (const auto* start = std::get_if<StartAttempt>(&action)) leave(start->job, now);
      if (const auto* give_up = std::get_if<GiveUpJob>(&action)) leave(give_up->job, now);
    }
    for (const JobId id : scheduler_.queue()) charge(id, scheduler_.job(id).waits_for, now);
  }
  [[nodiscard]] const std::string& errors() const { return errors_; }

 private:
  struct Wait {
    WaitTimes times{};
    Duration total{};
    Instant begin{};
    Instant since{};
    WaitCause cause = WaitCause::none;
  };

  static void close(Wait& wait, Instant now) {
    wait.times[static_cast<std::size_t>(wait.cause)] += now - wait.since;
    wait.since = now;
  }
  void charge(JobId id, WaitCause cause, Instant now) {
    Wait& wait = waits_[id];
    const Instant begin = scheduler_.job(id).queued_since;
    if (wait.cause == WaitCause::none || wait.begin != begin) {
      wait.begin = wait.since = begin;
      if (begin != now) errors_ += fmt::format("job {} was not seen to wait\n", id.value());
    } else {
      close(wait, now);
    }
    wait.cause = cause;
    if (scheduler_.waited(id, now) != wait.times) {
      errors_ += fmt::format("job {} has another open wait at {}\n", id.value(), to_seconds(now));
    }
  }
  void leave(JobId id, Instant now) {
    Wait& wait = waits_[id];
    if (wait.cause != WaitCause::none) {
      close(wait, now);
      wait.total += now - wait.begin;
      wait.cause = WaitCause::none;
    }
    const WaitTimes& waited = scheduler_.job(id).waited;
    const Duration sum = std::accumulate(waited.begin(), waited.end(), Duration::zero());
    if (waited != wait.times || sum != wait.total) {
      errors_ += fmt::format("job {} is charged wrongly at {}\n", id.value(), to_seconds(now));
    }
  }

  const Scheduler& scheduler_;
  std::map<JobId, Wait> waits_;
  std::string errors_;
};

TEST(WaitAccounting, ChargesWhatASingleLedgerPerJobCharges) {
  const auto& rows = covering_rows();
  EXPECT_TRUE(rc::check("no wait differs", [&] {
    const auto row = *rc::gen::elementOf(rows);
    const auto seed = *rc::gen::inRange<std::uint64_t>(1, 1'000'000);
    RandomRun run = random_run(row, seed, 30);
    run.driver.scheduler().set_wait_accounting(true);
    WaitLedger ledger(run.driver.scheduler());
    run.driver.watch([&](std::span<const Event>, Instant now, const Decision& decision) {
      ledger.after(now, decision);
    });

    run.driver.run(3'000);

    if (!ledger.errors().empty()) RC_FAIL(yaml_of(row) + "\n" + ledger.errors());
  }));
}

}  // namespace
}  // namespace mimus::scheduler::test
