// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/virtual/virtual_training.hpp"

#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "model_builders.hpp"

namespace mimus::emulator::test {
namespace {

using std::chrono::milliseconds;

/// Steps of one second and a measured noise scale: none in the first half of the work, and another
/// one in the second half.
class MeasuredNoiseSteps final : public StatedSteps {
 public:
  explicit MeasuredNoiseSteps(double second) : second_(second) {}
  [[nodiscard]] std::optional<MeasuredNoise> noise_scale(const Attempt&,
                                                         double fraction) const override {
    return fraction < 0.5 ? MeasuredNoise{0.0, 0.5} : MeasuredNoise{second_, 1.0};
  }

 private:
  double second_;
};

// Twice M0: a step gains M0 without noise, and 2 M0·(M0 + M0) ÷ (M0 + 2 M0) = 4/3 M0 with it.
// 200 M0 of work: 100 steps to the middle, then 75.
TEST(VirtualTraining, AMeasuredNoiseScaleHoldsToTheStepAtWhichItsStretchEnds) {
  auto attempt = attempt_on(1, {0}, "resnet18", 256);
  const double reference = static_cast<double>(attempt.model->batch.reference);
  ASSERT_EQ(reference, 128.0);
  attempt.work_samples = 200.0 * reference;
  const MeasuredNoiseSteps steps(reference);
  VirtualTraining training(attempt, steps, Duration{});
  training.begin(Instant{}, steps.step(attempt, {}), 0);

  EXPECT_EQ(training.stretch_end(), Instant{std::chrono::seconds{100}});
  EXPECT_EQ(training.advance(), VirtualTraining::Outcome::goes_on);
  EXPECT_EQ(training.stretch_end(), Instant{std::chrono::seconds{175}});
  EXPECT_EQ(training.advance(), VirtualTraining::Outcome::finished);
  EXPECT_EQ(training.report(Instant{std::chrono::seconds{175}}).windows.at(0).steps, 175);
}

// Twice M0: 100 steps that gain M0 each up to the middle of the work, then 50 in which every sample
// counts.
TEST(VirtualTraining, EverySampleCountsWhereGradientsAreNoiseAlone) {
  auto attempt = attempt_on(1, {0}, "resnet18", 256);
  attempt.work_samples = 200.0 * 128.0;
  const MeasuredNoiseSteps steps(std::numeric_limits<double>::infinity());
  VirtualTraining training(attempt, steps, Duration{});
  training.begin(Instant{}, steps.step(attempt, {}), 0);

  EXPECT_EQ(training.advance(), VirtualTraining::Outcome::goes_on);
  EXPECT_EQ(training.stretch_end(), Instant{std::chrono::seconds{150}});
  EXPECT_EQ(training.advance(), VirtualTraining::Outcome::finished);
}

// Sixteen times M0 where phi is 1000: with sixteen times the learning rate a step gains nothing.
TEST(VirtualTraining, DivergesInAHundredStepsWithoutProgress) {
  auto attempt = attempt_on(1, {0}, "resnet18", 2048);
  attempt.work_samples = 1e6;
  attempt.learning.rate.rule = scheduler::LearningRate::Rule::linear;
  const MeasuredNoiseSteps steps(1000.0);
  attempt.samples_done = 0.6e6;
  VirtualTraining training(attempt, steps, std::chrono::seconds{30});
  training.begin(Instant{}, steps.step(attempt, {}), 0);

  for (int report = 0; report < 3; ++report) {
    EXPECT_FALSE(training.ends_attempt());
    EXPECT_EQ(training.advance(), VirtualTraining::Outcome::goes_on);
  }
  EXPECT_TRUE(training.ends_attempt());
  EXPECT_EQ(training.stretch_end(), Instant{std::chrono::seconds{100}});
  EXPECT_EQ(training.advance(), VirtualTraining::Outcome::diverged);
  EXPECT_EQ(training.samples_done(), 0.6e6);
}

// Four times M0 with the user's learning rate: 1.6649 instead of 2.9841 of his steps each.
TEST(VirtualTraining, TakesAsManyMoreStepsAsItsLearningRateCosts) {
  auto attempt = attempt_on(1, {0}, "resnet18", 512);
  attempt.work_samples = 1e6;
  attempt.samples_done = 0.5e6;
  attempt.learning.rate.rule = scheduler::LearningRate::Rule::unchanged;
  const MeasuredNoiseSteps steps(1000.0);
  VirtualTraining training(attempt, steps, Duration{});
  training.begin(Instant{}, steps.step(attempt, {}), 0);

  EXPECT_EQ(training.stretch_end(), Instant{std::chrono::seconds{2347}});  // 0.5e6 / 213.107
  EXPECT_EQ(training.advance(), VirtualTraining::Outcome::finished);
}

/// When an attempt with steps of one second ends.
Instant end_of(const Attempt& attempt, Duration report_every) {
  const StatedSteps steps;
  VirtualTraining training(attempt, steps, report_every);
  training.begin(Instant{}, steps.step(attempt, {}), 0);
  while (training.advance() == VirtualTraining::Outcome::goes_on) {
  }
  return training.stretch_end();
}

// 16 M0 per step, where efficiency depends on the noise scale.
TEST(VirtualTraining, TakesTheSameTimeHoweverOftenItReports) {
  auto attempt = attempt_on(1, {0}, "resnet18", 2048);
  attempt.work_samples = 40'000.0 * 128.0;
  TrainingProgress step_by_step(*attempt.model, 0.0, attempt.work_samples);
  std::int64_t steps = 0;
  for (; !step_by_step.finished(); ++steps) step_by_step.advance(1, 2048.0);

  const Instant end = end_of(attempt, Duration{});

  EXPECT_NEAR(to_seconds(end.time_since_epoch()), static_cast<double>(steps), 1.0);
  for (const int seconds : {1, 7, 60}) {
    EXPECT_EQ(end_of(attempt, std::chrono::seconds{seconds}), end) << seconds;
  }
}

// Steps of 0.9 s end at 9.9, 19.8 and 29.7 s. At 36.9 s the steps become slower: the next two end
// at 38.9 and 40.9 s.
TEST(VirtualTraining, ReportsAtTheLastBoundaryBeforeEachMultipleOfTheInterval) {
  auto attempt = attempt_on(1, {0}, "resnet18", 2048);
  attempt.work_samples = 1e6 * 128.0;
  const StatedSteps steps;
  VirtualTraining training(attempt, steps, std::chrono::seconds{10});
  training.begin(Instant{}, {milliseconds{900}, Duration{}, Duration{}}, 0);

  std::vector<double> reports;
  bool is_slow = false;
  for (Instant now{}; reports.size() < 4;) {
    const Instant end = training.stretch_end();
    const Instant slower{milliseconds{36'900}};
    if (!is_slow && end > slower) {
      training.change(slower, {milliseconds{2000}, Duration{}, Duration{}}, 0);
      is_slow = true;
      continue;
    }
    ASSERT_EQ(training.advance(), VirtualTraining::Outcome::goes_on);
    now = end;
    if (training.report(now).is_report) reports.push_back(to_seconds(now.time_since_epoch()));
  }

  EXPECT_EQ(reports, (std::vector{9.9, 19.8, 29.7, 38.9}));
}

// A recorded run time of 10,000 s that takes 1.3 times as long. Whole nanoseconds of it end between
// nanoseconds of time, and the rounding of a thousand reports must not add up.
TEST(VirtualTraining, AFactorOnARunTimeIsExactHoweverOftenItReports) {
  auto attempt = attempt_on(1, {0});
  attempt.work_samples = 10'000.0;
  const StatedSteps steps;
  const StepCost cost{milliseconds{1300}, Duration{}, Duration{}};

  for (const auto report_every : {milliseconds{0}, milliseconds{1000}, milliseconds{7000}}) {
    VirtualTraining training(attempt, steps, report_every);
    training.begin(Instant{}, cost, 0);
    while (training.advance() == VirtualTraining::Outcome::goes_on) {
      training.change(training.stretch_end() - milliseconds{500}, cost, 0);
    }
    EXPECT_EQ(training.stretch_end(), Instant{milliseconds{13'000'000}}) << report_every.count();
  }
}

// The step that is cut off is no progress and does not count as modelled time, also where its own
// beginning is not known, because steps became slower in the middle of it.
TEST(VirtualTraining, AStepThatIsCutOffIsNoModelledTime) {
  const auto attempt = attempt_on(1, {0}, "resnet18", 128);
  const MeasuredNoiseSteps steps(0.0);
  const StepCost alone{milliseconds{100}, {}, milliseconds{100}};
  const StepCost slowed{milliseconds{200}, {}, milliseconds{100}};
  VirtualTraining training(attempt, steps, Duration{});
  training.set_solo_step(alone.step);
  training.begin(Instant{}, alone, 0);
  training.change(Instant{milliseconds{230}}, slowed, 0);
  training.cut_off(Instant{milliseconds{290}});

  const AttemptProgress progress = training.report(Instant{milliseconds{290}});

  ASSERT_EQ(progress.windows.size(), 1U);
  EXPECT_EQ(progress.windows[0].steps, 2);
  EXPECT_EQ(progress.windows[0].step_modelled, alone.step);
}

}  // namespace
}  // namespace mimus::emulator::test
