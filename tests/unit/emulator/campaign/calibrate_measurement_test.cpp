// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/calibrate/calibrate_measurement.hpp"

#include <utility>

#include <gtest/gtest.h>

namespace mimus::emulator {
namespace {

/// Every running attempt does one step per second of emulated time and reports times that the test
/// sets. A second tenant begins late.
class SteppingEngine : public Engine {
 public:
  /// Step time [s] of attempt `id` beside `beside` others.
  std::function<double(AttemptId id, int beside)> step = [](AttemptId, int) { return 1.0; };
  std::int64_t late_start = 0;  ///< steps of the first attempt before the second one begins
  std::string refuse_second;    ///< why the second attempt never begins
  std::int64_t stops = 0;

  [[nodiscard]] std::string name() const override { return "stepping"; }
  [[nodiscard]] Instant now() const override { return now_; }
  void start(const Attempt& attempt) override {
    EXPECT_GT(attempt.probe_steps, 0);
    running_.push_back(attempt.id);
    begins_.push_back(running_.size() == 1 ? 0 : late_start);
  }
  void stop(AttemptId attempt) override {
    ++stops;
    ended_.push_back({attempt, scheduler::EndReason::preempted, "", 0.0});
    std::erase(running_, attempt);
  }
  void retune(AttemptId, const scheduler::BatchPlan&) override {}
  void resize(AttemptId, const Attempt&) override {}
  void limit(AttemptId, const scheduler::DeviceLimits&) override {}
  void suspend(AttemptId, scheduler::SuspendedMemory) override {}
  void resume(AttemptId) override {}

  [[nodiscard]] Instant next(Instant deadline, std::vector<TimedEvent>& happened) override {
    now_ = std::min(deadline, now_ + std::chrono::seconds{1});
    for (const auto& ended : std::exchange(ended_, {})) happened.push_back({now_, ended});
    if (!refuse_second.empty() && running_.size() == 2) {
      happened.push_back(
          {now_, scheduler::AttemptEnded{running_[1], scheduler::EndReason::out_of_memory,
                                         refuse_second, 0.0}});
      running_.pop_back();
    }
    const bool together = running_.size() == 2 && steps_ >= begins_[1];
    for (std::size_t i = 0; i < running_.size(); ++i) {
      if (steps_ < begins_[i]) continue;
      StepWindow window;
      window.steps = 4;
      window.co_tenants = together ? 1 : 0;
      window.step_mean = from_seconds(step(running_[i], window.co_tenants));
      window.step_modelled = std::chrono::milliseconds{500};
      window.exposed_communication = std::chrono::milliseconds{100};
      window.device_busy = std::chrono::milliseconds{250};
      window.reading.kernels = 30;
      window.reading.memory_peak = 1e9 + static_cast<double>(steps_);
      happened.push_back({now_, AttemptProgress{running_[i], {window}, 0.0}});
    }
    ++steps_;
    return now_;
  }

 private:
  Instant now_{};
  std::int64_t steps_ = 0;
  std::vector<AttemptId> running_;
  std::vector<std::int64_t> begins_;
  std::vector<scheduler::AttemptEnded> ended_;
};

constexpr MeasurementLimits kLimits{
    .steps = {.interval = 0.02, .warm_up = 3, .min_steps = 20, .max_steps = 40},
    .timeout = std::chrono::hours{1}};

std::vector<Measured> measure(SteppingEngine& engine, std::size_t attempts,
                              const MeasurementLimits& limits = kLimits) {
  Measurement measurement(engine, limits, [](std::int64_t) {});
  return measurement.measure(std::vector<Attempt>(attempts));
}

// 20 executed steps of four optimiser steps each.
TEST(Measurement, StopsAnAttemptOnceItsIntervalIsTight) {
  SteppingEngine engine;

  const auto measured = measure(engine, 1);

  ASSERT_EQ(measured.size(), 1U);
  EXPECT_EQ(measured[0].failure, "");
  EXPECT_TRUE(measured[0].converged);
  EXPECT_EQ(measured[0].steps, 80);
  EXPECT_EQ(measured[0].step.mean, 1.0);
  EXPECT_EQ(measured[0].modelled, 0.5);
  EXPECT_NEAR(measured[0].exposed_communication, 0.1, 1e-12);
  EXPECT_EQ(engine.stops, 1);
}

// The last counted step has number 22, counted from 0: three steps of warm-up and twenty more.
TEST(Measurement, KeepsWhatTheDeviceSaysAndMinusOneForTheRest) {
  SteppingEngine engine;

  const DeviceReading reading = measure(engine, 1)[0].reading;

  EXPECT_EQ(reading.kernels, 30.0);
  EXPECT_EQ(reading.memory_peak, 1e9 + 22);
  EXPECT_EQ(reading.sm_activity, -1.0);
}

// Without a co-tenant the first one is ten times faster: one such step would distort its mean.
TEST(Measurement, OnlyStepsBesideTheOtherCount) {
  SteppingEngine engine;
  engine.late_start = 30;
  engine.step = [](AttemptId id, int beside) {
    return beside == 0 ? 0.1 : 1.0 + static_cast<double>(id.value());
  };

  const auto measured = measure(engine, 2);

  EXPECT_EQ(measured[0].step.mean, 1.0);
  EXPECT_EQ(measured[1].step.mean, 2.0);
  EXPECT_EQ(measured[0].steps, 80);
  EXPECT_EQ(engine.stops, 2);
}

// The second one scatters and takes all forty steps. The first one has reached its interval
// earlier.
TEST(Measurement, ATenantThatIsDoneStaysUntilTheOtherIs) {
  SteppingEngine engine;
  int step = 0;
  engine.step = [&](AttemptId id, int) {
    return id == AttemptId{0} ? 1.0 : static_cast<double>(++step % 5 + 1);
  };

  const auto measured = measure(engine, 2);

  EXPECT_TRUE(measured[0].converged);
  EXPECT_EQ(measured[0].steps, 80);
  EXPECT_FALSE(measured[1].converged);
  EXPECT_EQ(measured[1].steps, 160);
}

TEST(Measurement, AnAttemptThatFailsLeavesNothingMeasured) {
  SteppingEngine engine;
  engine.refuse_second = "out of memory on GPU 0";

  const auto measured = measure(engine, 2);

  EXPECT_EQ(measured[0].failure, "out of memory on GPU 0");
  EXPECT_EQ(measured[1].failure, "out of memory on GPU 0");
}

// Ten seconds are ten steps, three of them warm-up.
TEST(Measurement, ATimeoutKeepsWhatThereIs) {
  SteppingEngine engine;
  MeasurementLimits limits = kLimits;
  limits.timeout = std::chrono::seconds{10};

  const auto measured = measure(engine, 1, limits);

  EXPECT_EQ(measured[0].failure, "");
  EXPECT_FALSE(measured[0].converged);
  EXPECT_EQ(measured[0].steps, 28);
}

// Step 22 would be the last one. The first step that counts is step 3, and a minute later is step
// 63.
TEST(Measurement, GoesOnForTheLeastTimeWithoutCountingMore) {
  SteppingEngine engine;
  MeasurementLimits limits = kLimits;
  limits.least = std::chrono::minutes{1};
  std::int64_t looks = 0;
  Measurement measurement(engine, limits, [&](std::int64_t) { ++looks; });

  const auto measured = measurement.measure(std::vector<Attempt>(1));

  EXPECT_EQ(measured[0].steps, 80);
  EXPECT_EQ(looks, 3 + 1 + 60 + 1);  // warm-up, the first step, a minute, and the end
}

TEST(Measurement, ATimeoutWithinTheWarmUpIsAFailure) {
  SteppingEngine engine;
  MeasurementLimits limits = kLimits;
  limits.timeout = std::chrono::seconds{4};

  EXPECT_NE(measure(engine, 1, limits)[0].failure.find("--timeout"), std::string::npos);
}

}  // namespace
}  // namespace mimus::emulator
