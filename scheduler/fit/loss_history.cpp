// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/fit/loss_history.hpp"

#include <algorithm>
#include <cmath>

namespace mimus::scheduler {
namespace {

constexpr std::size_t kMostReports = 128;
constexpr std::size_t kFewestReports = 3;
constexpr double kEnoughExplained = 0.5;
constexpr double kDecay = 0.9;           ///< θ of SLAQ
constexpr double kLeastWeight = 1e-3;    ///< of a report of SLAQ
constexpr double kParts = 3.0;           ///< of Optimus
constexpr double kFactorOfParts = 16.0;  ///< of weights, from one part to the next

}  // namespace

void LossHistory::add(double samples, double loss) {
  if (reports_.size() == kMostReports) join_neighbours();
  reports_.push_back({count_++, samples, loss});
}

void LossHistory::join_neighbours() {
  for (std::size_t i = 0; i < kMostReports / 2; ++i) {
    const Report& a = reports_[2 * i];
    const Report& b = reports_[2 * i + 1];
    const double all = a.reports + b.reports;
    const auto mean = [&](double Report::*of) {
      return (a.reports * (a.*of) + b.reports * (b.*of)) / all;
    };
    reports_[i] = {mean(&Report::number), mean(&Report::samples), mean(&Report::loss), all};
  }
  reports_.resize(kMostReports / 2);
}

std::vector<LossPoint> LossHistory::weighted(LossRule rule) const {
  std::vector<LossPoint> points;
  points.reserve(reports_.size());
  for (const Report& report : reports_) {
    const double weight =
        rule == LossRule::optimus
            ? std::pow(kFactorOfParts, std::floor(report.number * kParts / count_))
            : std::pow(kDecay, count_ - 1.0 - report.number);
    if (weight < kLeastWeight) continue;
    points.push_back({report.samples, report.loss, report.reports * weight});
  }
  return points;
}

std::optional<LossModel> LossHistory::fit(LossRule rule) const {
  if (rule == LossRule::none || reports_.size() < kFewestReports) return std::nullopt;
  const std::vector<LossPoint> points = weighted(rule);
  if (rule == LossRule::optimus) return fit_reciprocal_loss(points).model;
  const FittedLoss square = fit_square_loss(points);
  const FittedLoss exponential = fit_exponential_loss(points);
  const FittedLoss& better = exponential.explained > square.explained ? exponential : square;
  if (better.explained >= kEnoughExplained) return better.model;
  constexpr std::size_t kWindow = 10;
  return fit_loss_line(std::span(points).last(std::min(kWindow, points.size()))).model;
}

double LossHistory::decline(const LossModel& model) const {
  const double from = reports_.front().samples;
  const double to = reports_.back().samples;
  return to > from ? (model.at(from) - model.at(to)) / (to - from) : 0.0;
}

}  // namespace mimus::scheduler
