// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "builders.hpp"
#include "driver.hpp"
#include "scheduler/order/service_history.hpp"

namespace mimus::scheduler::test {
namespace {

// Counting schedulers on public Philly jobs: GPUs are interchangeable and nothing costs time. The
// expected averages are printed by independent public simulators for the same files.

std::filesystem::path shared_data() {
  if (const char* shared = std::getenv("MIMUS_SHARED")) return shared;
  const char* source = std::getenv("MIMUS_SOURCE_DIR");
  return std::filesystem::path(source ? source : ".") / ".." / "shared";
}

struct TraceJob {
  int id, gpus;
  double submit, duration;
  double estimate;  ///< stated by the user
};

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream text(line);
  for (std::string field; std::getline(text, field, ',');) fields.push_back(field);
  return fields;
}

/// `estimate` is the column of the run times that users state.
std::vector<TraceJob> read_jobs(const std::filesystem::path& path, const std::string& estimate) {
  std::vector<TraceJob> jobs;
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  const auto header = fields_of(line);
  const auto column = [&](std::initializer_list<const char*> names) {
    for (const char* name : names) {
      const auto found = std::find(header.begin(), header.end(), name);
      if (found != header.end()) return static_cast<std::size_t>(found - header.begin());
    }
    return header.size();
  };
  const auto id = column({"job_id"}), gpus = column({"num_gpus", "num_gpu"});
  const auto submit = column({"submit", "submit_time"}), duration = column({"duration"});
  const auto stated = column({estimate.c_str()});
  while (std::getline(file, line)) {
    const auto f = fields_of(line);
    jobs.push_back({std::stoi(f.at(id)), std::stoi(f.at(gpus)), std::stod(f.at(submit)),
                    std::stod(f.at(duration)), std::stod(f.at(stated))});
  }
  return jobs;
}

/// The GPU times from which Tiresias' public simulator computes its indexes.
std::string past_service() {
  std::ifstream file(shared_data() / "data" / "tiresias" / "yarn-gput1000.csv");
  return {std::istreambuf_iterator<char>(file), {}};
}

struct Averages {
  double completion = 0, wait = 0, makespan = 0;
  int preemptions = 0;
};

Averages replay(const std::vector<TraceJob>& jobs, int gpus, const std::string& yaml) {
  Driver driver(shape(1, gpus), policy(yaml), {});
  for (const TraceJob& trace : jobs) {
    JobView view = job(trace.id, trace.gpus, trace.submit);
    view.user_estimate = seconds(trace.estimate);
    driver.submit(view, {.work = seconds(trace.duration)});
  }
  driver.check_books_every(jobs.size() > 1000 ? 1000 : 1);
  driver.run(100'000'000);
  EXPECT_TRUE(driver.violations().empty()) << driver.violations().at(0);
  Averages mean;
  for (const TraceJob& trace : jobs) {
    const Outcome& outcome = driver.outcome(trace.id);
    const double completion = to_seconds(outcome.end) - trace.submit;
    mean.completion += completion / static_cast<double>(jobs.size());
    mean.wait += (completion - trace.duration) / static_cast<double>(jobs.size());
    mean.makespan = std::max(mean.makespan, to_seconds(outcome.end));
    mean.preemptions += outcome.preemptions;
  }
  return mean;
}

std::string in_queue_order(const std::string& queues) {
  return "{order: {name: las, within: queue_order, " + queues +
         "}, placement: counting, preemption: {name: checkpoint, min_run: 0 s}}";
}

class CountingOnPhilly : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(shared_data() / "data" / "bench" / "philly1000.csv")) {
      GTEST_SKIP() << "skipped: no shared data";
    }
  }
  /// The expected values are printed with two decimals, and the makespan with none. If
  /// `preemptions` is 0, their number is not known.
  static void expect(int jobs, int gpus, const std::string& yaml, const Averages& expected) {
    const auto file = "philly" + std::to_string(jobs) + ".csv";
    compare(read_jobs(shared_data() / "data" / "bench" / file, "duration"), gpus, yaml, expected);
  }
  /// The same for the first of the 10,000 jobs.
  static void expect_of_the_first(std::size_t jobs, int gpus, const std::string& yaml,
                                  const Averages& expected) {
    auto trace = read_jobs(shared_data() / "data" / "bench" / "philly10000.csv", "duration");
    trace.resize(std::min(jobs, trace.size()));
    compare(trace, gpus, yaml, expected);
  }
  /// The same if users state the means of earlier jobs of their group.
  static void expect_with_group_means(int jobs, int gpus, const std::string& yaml,
                                      const Averages& expected) {
    const auto file = "pai_philly" + std::to_string(jobs) + ".csv";
    const auto path = shared_data() / "data" / "bench" / file;
    compare(read_jobs(path, "group_gpu_dur"), gpus, yaml, expected);
  }

 private:
  static void compare(const std::vector<TraceJob>& trace, int gpus, const std::string& yaml,
                      const Averages& expected) {
    ASSERT_FALSE(trace.empty());
    const Averages mean = replay(trace, gpus, yaml);
    EXPECT_NEAR(mean.completion, expected.completion, 0.00501) << yaml;
    EXPECT_NEAR(mean.wait, expected.wait, 0.00501) << yaml;
    EXPECT_NEAR(mean.makespan, expected.makespan, 0.501) << yaml;
    if (expected.preemptions > 0) {
      EXPECT_EQ(mean.preemptions, expected.preemptions) << yaml;
    }
  }
};

TEST_F(CountingOnPhilly, StrictFifoAgreesWithTheSimulatorOfTiresias) {
  expect(1000, 128, "order: fifo", {11114.82, 5430.56, 717510});
}

TEST_F(CountingOnPhilly, SkippingFifoAgreesWithTheSimulatorOfPai) {
  expect(1000, 128, "order: {name: fifo, skip: true}", {8889.88, 3205.62, 714378});
}

TEST_F(CountingOnPhilly, ShortestJobFirstAgreesWithTheSimulatorOfPai) {
  expect(1000, 128, "order: sjf", {8153.62, 2469.36, 717984});
}

TEST_F(CountingOnPhilly, StrictShortestJobFirst) {
  expect(1000, 128, "order: {name: sjf, skip: false}", {8150.44, 2466.19, 723136});
}

TEST_F(CountingOnPhilly, ShortestJobFirstOnGroupMeansAgreesWithTheSimulatorOfPai) {
  expect_with_group_means(1000, 128, "{order: sjf, placement: counting}",
                          {8847.42, 3163.16, 714308});
}

TEST_F(CountingOnPhilly, ShortestRemainingTimeAgreesWithTheSimulatorOfTiresias) {
  expect(1000, 128,
         "{order: srtf, placement: counting, preemption: {name: checkpoint, min_run: 0 s}}",
         {7629.58, 1945.33, 718674, 342});
}

TEST_F(CountingOnPhilly, ShortestRemainingServiceAgreesWithTheSimulatorOfTiresias) {
  expect(1000, 128,
         "{order: srsf, placement: counting, preemption: {name: checkpoint, min_run: 0 s}}",
         {7628.73, 1944.48, 717566});
}

TEST_F(CountingOnPhilly, TwoQueueLeastAttainedService) {
  expect(1000, 128,
         "{order: {name: las, limits: [3600 s]}, preemption: {name: checkpoint, min_run: 0 s}}",
         {8623.66, 2939.41, 716236});
}

TEST_F(CountingOnPhilly, ThreeLimitsLeastAttainedService) {
  expect(1000, 128,
         "{order: {name: las, limits: [3250 s, 7200 s, 18000 s]}, "
         "preemption: {name: checkpoint, min_run: 0 s}}",
         {8436.72, 2752.46, 715318});
}

// In the order of the lists of Tiresias' public simulator, with demotions at the exact instant.
TEST_F(CountingOnPhilly, LeastAttainedServiceInQueueOrder) {
  expect(1000, 128, in_queue_order("limits: [3600 s]"), {8556.20, 2871.94, 715880});
  expect(1000, 128, in_queue_order("limits: [3250 s, 7200 s, 18000 s]"),
         {8436.42, 2752.16, 715413});
}

TEST_F(CountingOnPhilly, LeastAttainedServiceInQueueOrderWhereManyWait) {
  expect_of_the_first(3000, 256, in_queue_order("limits: [3600 s]"), {15893.825, 2658.69, 2317734});
  expect_of_the_first(3000, 256, in_queue_order("limits: [3600 s], promote: 8"),
                      {15485.87, 2250.74, 2283002});
}

TEST_F(CountingOnPhilly, LeastAttainedServiceInQueueOrderWithPromotion) {
  expect(1000, 128, in_queue_order("limits: [3600 s], promote: 8"), {8553.44, 2869.18, 715681});
}

// Values of a simple program that follows the rule of policies-2.md, A2.
TEST_F(CountingOnPhilly, GittinsOnAGivenHistory) {
  std::string samples = past_service();
  for (std::size_t at = 0; (at = samples.find('\n', at)) != std::string::npos; at += 2) {
    samples.replace(at, 1, "\\n");
  }
  expect(1000, 128,
         "{preset: tiresias-g, placement: counting, order: {samples: \"" + samples + "\"}}",
         {8527.64, 2843.39, 715145, 336});
}

// 10^6 G(3600 2^j, infinity), as policies-2.md, A2, prints it.
TEST_F(CountingOnPhilly, IndexesOfTheHistoryOfTiresias) {
  std::string error;
  const auto history = parse_service_history(past_service(), error);
  ASSERT_TRUE(history) << error;
  EXPECT_EQ(history->size(), 1001U);
  double attained = 3600;
  for (const double expected : {2.520, 1.753, 1.293, 1.051, 0.829, 0.633}) {
    const double index = history->gittins_index(attained, std::numeric_limits<double>::infinity());
    EXPECT_NEAR(1e6 * index, expected, 0.000501) << attained;
    attained *= 2;
  }
}

TEST_F(CountingOnPhilly, TenThousandJobsStrictFifo) {
  expect(10000, 512, "order: fifo", {187652.43, 172942.30, 2963544});
}

TEST_F(CountingOnPhilly, TenThousandJobsSkippingFifo) {
  expect(10000, 512, "order: {name: fifo, skip: true}", {97273.70, 82563.58, 2725281});
}

TEST_F(CountingOnPhilly, TenThousandJobsShortestJobFirst) {
  expect(10000, 512, "order: sjf", {25029.55, 10319.43, 2646182});
}

}  // namespace
}  // namespace mimus::scheduler::test
