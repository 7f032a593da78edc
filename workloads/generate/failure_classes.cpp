// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/generate/failure_classes.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace mimus::workloads {
namespace {

std::span<const FailureClass> classes_of(FailureStudy study) {
  switch (study) {
    case FailureStudy::philly:
      return philly_failures().first(kFrequentOfPhilly);
    case FailureStudy::philly_all:
      return philly_failures();
    case FailureStudy::acme:
      return acme_failures();
  }
  return {};
}

template <class Trials>
AliasTable table_by(std::span<const FailureClass> classes, Trials&& trials) {
  std::vector<double> weights;
  for (const FailureClass& one : classes) weights.push_back(trials(one));
  return AliasTable(weights);
}

double minutes_at(const FailureQuantiles& minutes, double at) {
  std::size_t piece = 0;
  while (at >= kFailureQuantiles[piece + 1]) ++piece;
  const double along =
      (at - kFailureQuantiles[piece]) / (kFailureQuantiles[piece + 1] - kFailureQuantiles[piece]);
  return minutes[piece] * std::pow(minutes[piece + 1] / minutes[piece], along);
}

/// The mean of a log-normal law is its median times exp(σ²/2).
double minutes_of(const FailureMean& law, double normal) {
  const double sigma = std::sqrt(2.0 * std::log(std::max(1.0, law.mean / law.median)));
  return law.median * std::exp(sigma * normal);
}

}  // namespace

double trials_of_gang(const FailureClass& failure_class, int gang) {
  if (const auto* counted = std::get_if<TrialsByGang>(&failure_class.trials)) {
    return (*counted)[gang <= 1 ? 0 : gang <= 4 ? 1 : 2];
  }
  const auto& known = std::get<TrialsOfMean>(failure_class.trials);
  return known.trials * std::exp(-gang / known.gang) / known.gang;
}

double all_trials(const FailureClass& failure_class) {
  if (const auto* counted = std::get_if<TrialsByGang>(&failure_class.trials)) {
    return std::accumulate(counted->begin(), counted->end(), 0.0);
  }
  return std::get<TrialsOfMean>(failure_class.trials).trials;
}

FailureClasses::FailureClasses(FailureStudy study, const std::vector<int>& gangs)
    : classes_(classes_of(study)) {
  if (gangs.empty()) tables_.push_back(table_by(classes_, all_trials));
  for (const int gang : gangs) {
    tables_.push_back(
        table_by(classes_, [gang](const FailureClass& one) { return trials_of_gang(one, gang); }));
  }
}

Duration FailureClasses::draw_time(std::size_t failure_class, RandomStream& random) const {
  const auto& minutes = classes_[failure_class].minutes;
  if (const auto* quantiles = std::get_if<FailureQuantiles>(&minutes)) {
    return from_seconds(60.0 * minutes_at(*quantiles, random.uniform()));
  }
  return from_seconds(60.0 * minutes_of(std::get<FailureMean>(minutes), random.normal()));
}

}  // namespace mimus::workloads
