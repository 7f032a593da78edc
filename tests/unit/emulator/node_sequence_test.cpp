// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/bench/node_sequence.hpp"

#include <cstdlib>
#include <filesystem>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "workloads/traces/input/input_file.hpp"

namespace mimus::emulator {
namespace {

using scheduler::Ces;
using By = scheduler::ForecastSettings::By;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr Duration kTenMinutes = std::chrono::minutes(10);

TEST(NodeSequence, TakesTheMostOfEachStepAndRepeatsStepsWithoutRecords) {
  const NodeSequence sequence = read_node_sequence(
      "time,active,total\n2017-10-03 00:01:00,5,20\n2017-10-03 00:09:00,7,20\n"
      "2017-10-03 00:30:00,4,21\n",
      "nodes.csv", kTenMinutes);

  EXPECT_THAT(sequence.used, ElementsAre(7, 7, 7, 4));
  EXPECT_THAT(sequence.nodes, ElementsAre(20, 21, 21, 21));
}

std::string complaint(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(NodeSequence, SaysWhatIsWrongAndWhere) {
  const auto reading = [](const char* row) {
    return complaint([=] {
      (void)read_node_sequence(std::string("time,active,total\n2017-10-03 01:00:00,5,20\n") + row,
                               "nodes.csv", kTenMinutes);
    });
  };
  EXPECT_THAT(reading("noon,5,20\n"), HasSubstr("nodes.csv:3:1"));
  EXPECT_THAT(reading("2017-10-03 00:00:00,5,20\n"), HasSubstr("before that of the row before"));
  EXPECT_THAT(reading("2017-10-03 02:00:00,-5,20\n"), HasSubstr("active"));
}

TEST(NodeSequence, HasTheDaysThatItIsAskedFor) {
  const NodeSequence sequence{.begin = {},
                              .step = std::chrono::hours(12),
                              .used = {1, 2, 3, 4, 5},
                              .nodes = {9, 9, 9, 9, 9}};
  const StepRange range = steps_of(sequence, "1970-01-02", 1);
  EXPECT_EQ(range.first, 2U);
  EXPECT_EQ(range.last, 4U);
  EXPECT_THAT(complaint([&] { (void)steps_of(sequence, "1970-01-02", 2); }),
              HasSubstr("has 2.5 days"));
  EXPECT_THAT(complaint([&] { (void)steps_of(sequence, "now", 1); }), HasSubstr("is not a date"));
}

/// Philly's nodes, and Helios' artifact's thresholds for them.
class PhillyNodes : public testing::Test {
 protected:
  void SetUp() override {
    const char* shared = std::getenv("MIMUS_SHARED");
    const std::string path =
        std::string(shared == nullptr ? "" : shared) + "/data/philly/philly_node_sequence.csv";
    if (shared == nullptr || !std::filesystem::exists(path)) {
      GTEST_SKIP() << "skipped: no shared data";
    }
    sequence_ = read_node_sequence(workloads::read_input_file(path), path, kTenMinutes);
    test_ = steps_of(sequence_, "2017-12-01", 14);
    settings_.rule = {.history = 2,
                      .future = 30,
                      .drop = 0.1,
                      .future_drop = 0.0,
                      .least = 1,
                      .buffer = 20,
                      .keep = 10,
                      .warm_up = 6};
  }

  [[nodiscard]] CesFigures with_forecast(By by) const {
    Ces::Settings settings = settings_;
    settings.forecast.by = by;
    return replay_ces(sequence_, test_, settings);
  }
  /// The use so many steps before what is predicted, which may lie ahead of the decision.
  [[nodiscard]] CesFigures with_use_before(std::size_t steps) const {
    return replay_ces(sequence_, test_, settings_.rule, [&](std::size_t begin, std::size_t end) {
      double sum = 0.0;
      for (std::size_t k = begin; k < end; ++k) sum += sequence_.used[k - steps];
      return sum / static_cast<double>(end - begin);
    });
  }

  NodeSequence sequence_;
  StepRange test_;
  Ces::Settings settings_;
};

struct Row {
  double changes, wake_ups, size, off, used;
  int short_steps, short_nodes;
};

/// To the digits that the reference program printed.
void expect_row(const CesFigures& found, const Row& row) {
  EXPECT_NEAR(found.changes_per_day, row.changes, 5e-4);
  EXPECT_NEAR(found.wake_ups_per_day, row.wake_ups, 5e-4);
  EXPECT_NEAR(found.wake_up_size, row.size, 5e-3);
  EXPECT_NEAR(found.nodes_off, row.off, 5e-4);
  EXPECT_NEAR(100 * found.used_share, row.used, 5e-4);
  EXPECT_EQ(found.short_steps, row.short_steps);
  EXPECT_EQ(found.short_nodes, row.short_nodes);
}

// A program of its own, which agrees with the published code of HeliosArtifact (CES_Philly.py),
// gave these figures for forecasts that anyone can repeat.
TEST_F(PhillyNodes, SleepAsTheReferenceSays) {
  EXPECT_NEAR(100 * replay_all_on(sequence_, test_).used_share, 68.975, 5e-4);
  expect_row(with_forecast(By::day_before), {3.786, 0.857, 26.33, 92.976, 88.901, 12, 76});
  expect_row(with_use_before(144), {3.786, 0.857, 26.33, 92.976, 88.901, 12, 76});
  expect_row(with_forecast(By::flat), {14.857, 2.071, 35.90, 115.155, 94.811, 29, 461});
  expect_row(with_use_before(18), {3.929, 0.714, 26.90, 105.148, 91.997, 10, 69});
  expect_row(with_use_before(0), {7.286, 0.714, 26.20, 108.146, 92.828, 10, 62});
}

// The band in which the artifact's own forecast, retrained, and the honest ones above lie.
TEST_F(PhillyNodes, SleepWithinTheBandByTheForecastFromProfiles) {
  const CesFigures found = with_forecast(By::profile);

  EXPECT_GE(found.nodes_off, 85.0);
  EXPECT_LE(found.nodes_off, 110.0);
  EXPECT_GE(found.used_share, 0.86);
  EXPECT_LE(found.used_share, 0.93);
  EXPECT_LE(found.wake_ups_per_day, 1.0);
}

// Chosen on the weeks before the test, without looking at it.
TEST_F(PhillyNodes, AreForecastBetterFromProfilesThanFromTheDayBefore) {
  test_ = steps_of(sequence_, "2017-10-24", 38);

  EXPECT_LT(with_forecast(By::profile).forecast_error,
            0.5 * with_forecast(By::day_before).forecast_error);
}

}  // namespace
}  // namespace mimus::emulator
