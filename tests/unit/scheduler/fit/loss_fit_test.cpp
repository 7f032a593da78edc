// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/fit/loss_fit.hpp"

#include <cmath>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "scheduler/fit/loss_history.hpp"

namespace mimus::scheduler {
namespace {

using Curve = std::function<double(double)>;

std::vector<LossPoint> points_of(const Curve& loss, double noise = 0.0) {
  RandomStream random(1, "loss fit test");
  std::vector<LossPoint> points;
  for (int i = 1; i <= 30; ++i) {
    const double samples = 400.0 * i;
    points.push_back({samples, loss(samples) * (1.0 + noise * random.normal())});
  }
  return points;
}

void expect_alike(const LossModel& model, const Curve& loss, double within) {
  for (const double samples : {0.0, 3000.0, 12000.0, 30000.0}) {
    EXPECT_NEAR(model.at(samples), loss(samples), within * loss(samples)) << samples;
  }
}

// 1/(a x + b) + c with b = 1/0.9, a = 8.889/20000 and c = 0.1: ends at 0.2 after 20,000 samples.
double of_optimus(double samples) {
  return 1.0 / (8.0 / 0.9 / 20000.0 * samples + 1.0 / 0.9) + 0.1;
}

TEST(LossFit, FindsTheReciprocal) {
  const FittedLoss fit = fit_reciprocal_loss(points_of(of_optimus));

  expect_alike(fit.model, of_optimus, 1e-4);
  EXPECT_NEAR(fit.explained, 1.0, 1e-6);
  EXPECT_NEAR(*fit.model.samples_at(0.2), 20000.0, 20.0);
}

TEST(LossFit, FindsTheReciprocalOfASquare) {
  const Curve loss = [](double x) { return 1.0 / (1e-8 * x * x + 1e-4 * x + 0.8) + 0.05; };

  expect_alike(fit_square_loss(points_of(loss)).model, loss, 1e-3);
}

TEST(LossFit, FindsTheExponential) {
  const Curve loss = [](double x) { return std::pow(0.9997, x) + 0.3; };

  expect_alike(fit_exponential_loss(points_of(loss)).model, loss, 1e-4);
}

TEST(LossFit, FindsTheLine) {
  const Curve loss = [](double x) { return 2.0 - 2e-5 * x; };

  expect_alike(fit_loss_line(points_of(loss)).model, loss, 1e-9);
}

// Losses that rise: the best that does not is their mean, to which each form is reduced.
TEST(LossFit, NeverRises) {
  const Curve rising = [](double x) { return 1.0 + 1e-4 * x; };
  const auto points = points_of(rising);
  const double mean = 1.0 + 1e-4 * 400.0 * 15.5;

  for (const auto& fit : {fit_reciprocal_loss(points), fit_square_loss(points),
                          fit_exponential_loss(points), fit_loss_line(points)}) {
    EXPECT_NEAR(fit.model.at(0.0), mean, 1e-9);
    EXPECT_NEAR(fit.model.at(12000.0), mean, 1e-9);
    EXPECT_NEAR(fit.explained, 0.0, 1e-9);
  }
}

TEST(LossFit, HasNoNegativeFloor) {
  const Curve to_minus_one = [](double x) { return 3.0 * std::exp(-1e-4 * x) - 0.9; };

  const LossModel model = fit_exponential_loss(points_of(to_minus_one)).model;

  EXPECT_GE(model.floor, 0.0);
  EXPECT_GT(model.drop, 0.0);
}

TEST(LossModel, TellsWhenALossIsReached) {
  const LossModel square{.drop = 1.0, .rate = 2.0, .square = 3.0, .floor = 0.5};
  EXPECT_NEAR(*square.samples_at(square.at(7.0)), 7.0, 1e-12);
  EXPECT_EQ(square.samples_at(1.5), 0.0);
  EXPECT_EQ(square.samples_at(9.0), 0.0);
  EXPECT_EQ(square.samples_at(0.5), std::nullopt);
  const LossModel exponential{LossModel::Form::exponential, 2.0, 0.1, 0.0, 0.5};
  EXPECT_NEAR(*exponential.samples_at(exponential.at(7.0)), 7.0, 1e-12);
  const LossModel line{LossModel::Form::line, 2.0, 0.1, 0.0, 0.0};
  EXPECT_NEAR(*line.samples_at(1.3), 7.0, 1e-12);
  const LossModel flat{.drop = 1.0};
  EXPECT_EQ(flat.samples_at(0.9), std::nullopt);
}

LossHistory history_of(const Curve& loss, int reports) {
  LossHistory history;
  for (int i = 1; i <= reports; ++i) history.add(20.0 * i, loss(20.0 * i));
  return history;
}

TEST(LossHistory, NeedsThreeReports) {
  EXPECT_EQ(history_of(of_optimus, 2).fit(LossRule::optimus), std::nullopt);
  EXPECT_NE(history_of(of_optimus, 3).fit(LossRule::optimus), std::nullopt);
  EXPECT_EQ(history_of(of_optimus, 3).fit(LossRule::none), std::nullopt);
}

// 500 reports are joined until fewer than 128 are left; the curve stays the same.
TEST(LossHistory, JoinsWhatIsTooMuch) {
  const LossHistory history = history_of(of_optimus, 500);

  for (const LossRule rule : {LossRule::optimus, LossRule::slaq}) {
    const LossModel model = *history.fit(rule);
    for (const double samples : {8000.0, 10000.0, 20000.0}) {
      EXPECT_NEAR(model.at(samples) / of_optimus(samples), 1.0, 0.01) << samples;
    }
  }
}

// Two halves of other curves: the last third weighs 16 times the second, 256 times the first.
TEST(LossHistory, OfOptimusFollowsTheLastThird) {
  const Curve annealed = [](double x) { return of_optimus(x) - (x > 1000.0 ? 0.08 : 0.0); };

  const LossModel model = *history_of(annealed, 90).fit(LossRule::optimus);

  EXPECT_NEAR(model.at(1700.0), annealed(1700.0), 0.01);
}

TEST(LossHistory, OfSlaqGoesOnAlongALineWhereNoFormFits) {
  RandomStream random(3, "noise");
  LossHistory history;
  for (int i = 1; i <= 40; ++i) history.add(20.0 * i, 0.5 + 0.1 * random.normal());

  EXPECT_EQ(history.fit(LossRule::slaq)->form, LossModel::Form::line);
}

TEST(LossHistory, TellsTheMeanDeclineOfAModelOverItsReports) {
  const Curve line = [](double x) { return 2.0 - 1e-3 * x; };
  const LossHistory history = history_of(line, 10);

  EXPECT_NEAR(history.decline(*history.fit(LossRule::slaq)), 1e-3, 1e-5);
}

}  // namespace
}  // namespace mimus::scheduler
