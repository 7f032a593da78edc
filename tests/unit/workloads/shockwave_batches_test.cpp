// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Shockwave's traces whose jobs change their batches.
#include <algorithm>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/workloads/trace_files.hpp"

namespace mimus::workloads {
namespace {

using testing::HasSubstr;

class ShockwaveBatches : public test::TraceFiles {
 protected:
  ShockwaveBatches() {
    write_as("throughputs.json", R"json({"v100": {
      "('LM (batch size 20)', 1)": {"null": 10.0}, "('LM (batch size 40)', 1)": {"null": 8.0},
      "('ResNet-18 (batch size 64)', 2)": {"null": 20.0},
      "('ResNet-18 (batch size 256)', 2)": {"null": 8.0}}})json");
  }
  [[nodiscard]] Job job(const std::string& type, int steps, int gang, const std::string& mode,
                        const std::string& more = "") {
    write(line(type, steps, gang, mode));
    return read("shockwave", options(more)).jobs.at(0);
  }
  [[nodiscard]] static std::string line(const std::string& type, int steps, int gang,
                                        const std::string& mode) {
    return fmt::format("{}\tcommand\tdata\t--steps\t1\t{}\t{}\t{}\t1\t-1.0\t99\t0\n", type, steps,
                       gang, mode);
  }
  [[nodiscard]] std::string options(const std::string& more = "") const {
    return ", throughputs: \"" + folder_ + "/throughputs.json\"" + more;
  }
};

/// 2,984 iterations are an epoch of 59,675 samples. The batch doubles at epochs 11 and 41; there is
/// no throughput for the second time. The job looks an epoch ahead, its profile does not.
TEST_F(ShockwaveBatches, TheNoiseScaleDoublesThem) {
  const Job found = job("LM (batch size 20)", 50 * 2984, 1, "gns");
  ASSERT_NE(found.course, nullptr);
  const BatchCourse& course = *found.course;
  ASSERT_EQ(course.modes.size(), 2U);
  EXPECT_EQ(course.modes[1].batch, 40);
  EXPECT_EQ(course.modes[0].iterations, 2984);
  EXPECT_EQ(course.modes[1].iterations, 1492);
  EXPECT_EQ(course.wanted.at(9), 0U);
  EXPECT_EQ(course.wanted.at(10), 1U);
  EXPECT_EQ(course.wanted.back(), 1U);
  ASSERT_EQ(course.profiled.size(), 50U);
  EXPECT_EQ(std::ranges::count(course.profiled, std::size_t{0}), 11);
  const double run_time = 11 * 59675.0 / 20 / 10.0 + 39 * 59675.0 / 40 / 8.0;
  EXPECT_NEAR(to_seconds(found.run_time), run_time, 1e-6);
  EXPECT_EQ(found.rates, (TypeRates{{"V100", 10.0}}));
  EXPECT_EQ(found.name, "LM (batch size 20)");
}

/// Critical are the first ten epochs; profiles have the small batch in the first 30 % of 50.
TEST_F(ShockwaveBatches, AccordionTakesTheLargestOutsideCriticalEpochs) {
  const Job found = job("ResNet-18 (batch size 64)", 50 * 782, 2, "accordion");
  ASSERT_NE(found.course, nullptr);
  const BatchCourse& course = *found.course;
  EXPECT_EQ(course.modes.back().batch, 256);
  EXPECT_EQ(std::ranges::count(course.wanted, std::size_t{0}), 10);
  EXPECT_EQ(std::ranges::count(course.profiled, std::size_t{0}), 16);
}

TEST_F(ShockwaveBatches, StaticJobsKeepTheirs) {
  const Job found = job("ResNet-18 (batch size 64)", 1000, 2, "static");
  ASSERT_NE(found.course, nullptr);
  EXPECT_EQ(found.course->modes.size(), 1U);
}

TEST_F(ShockwaveBatches, WithoutThroughputsJobsHaveTheirDurations) {
  write(line("LM (batch size 20)", 1000, 1, "gns"));
  const Job found = read("shockwave").jobs.at(0);
  EXPECT_EQ(found.course, nullptr);
  EXPECT_EQ(found.run_time, std::chrono::seconds{99});
}

TEST_F(ShockwaveBatches, RefusesWhatWasNotMeasuredAndWhatCannotBeStretched) {
  write(line("LM (batch size 20)", 1000, 2, "gns"));
  EXPECT_THAT(error("shockwave", options()),
              HasSubstr("no throughput of \"LM (batch size 20)\" with scale factor 2 on v100"));
  write(line("LM (batch size 20)", 1000, 1, "gns"));
  EXPECT_THAT(error("shockwave", options(", scale_run_times: 2")),
              HasSubstr("changes its batch by a plan that cannot be stretched"));
}

}  // namespace
}  // namespace mimus::workloads
