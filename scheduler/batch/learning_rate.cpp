// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/batch/learning_rate.hpp"

#include <algorithm>
#include <cmath>

namespace mimus::scheduler {
namespace {

using Rule = LearningRate::Rule;

const Domain<Rule>& rules() {
  static const Domain<Rule> all{{"adascale", Rule::adascale}, {"unchanged", Rule::unchanged},
                                {"sqrt", Rule::sqrt},         {"linear", Rule::linear},
                                {"adam", Rule::adam},         {"legw", Rule::legw}};
  return all;
}

/// Share of the way through a warm-up of `length` steps in step `step`.
double warmed_up(double step, double length) {
  return length > 0.0 ? std::min(1.0, step / length) : 1.0;
}

}  // namespace

double LearningRate::factor(double scale, double gain, double steps) const {
  switch (rule) {
    case Rule::adascale:
      return gain;
    case Rule::unchanged:
      return 1.0;
    case Rule::sqrt:
      return std::sqrt(scale);
    case Rule::linear:
      return 1.0 + (scale - 1.0) * warmed_up(steps, warm_up);
    case Rule::adam:
      return std::sqrt(gain);
    case Rule::legw:
      break;
  }
  const double step = steps + 1.0;
  return std::sqrt(scale) * warmed_up(step, scale * warm_up) / warmed_up(step, warm_up);
}

std::string name(LearningRate::Rule rule) {
  return rules().text(rule);
}

/// Optional keys, which a cell without them does not show: most campaigns leave learning rates
/// alone.
Fields<LearningRate> learning_rate_fields(LearningRate::Rule fallback) {
  return {field_or("learning_rate", &LearningRate::rule, fallback, rules(),
                   "how a job's learning rate follows its batch; default: " + name(fallback))
              .or_else("-"),
          field("warm_up", &LearningRate::warm_up, kNotNegative,
                "length in steps at M0: of the user's warm-up (legw), or of the learning rate's "
                "growth (linear)")
              .or_else("-")};
}

}  // namespace mimus::scheduler
