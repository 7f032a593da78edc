// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/fit/loss_model.hpp"

#include <algorithm>
#include <cmath>

namespace mimus::scheduler {

double LossModel::at(double samples) const {
  switch (form) {
    case Form::reciprocal:
      return floor + drop / (1.0 + rate * samples + square * samples * samples);
    case Form::exponential:
      return floor + drop * std::exp(-rate * samples);
    case Form::line:
      break;
  }
  return std::max(drop - rate * samples, 0.0);
}

std::optional<double> LossModel::samples_at(double loss) const {
  if (loss >= at(0.0)) return 0.0;
  if (loss <= floor && form != Form::line) return std::nullopt;
  double samples = 0.0;
  if (form == Form::reciprocal) {
    const double growth = drop / (loss - floor) - 1.0;  // of the denominator: root of a quadratic
    samples = 2.0 * growth / (rate + std::sqrt(rate * rate + 4.0 * square * growth));
  } else if (form == Form::exponential) {
    samples = std::log(drop / (loss - floor)) / rate;
  } else {
    samples = (drop - loss) / rate;
  }
  return std::isfinite(samples) ? std::optional(samples) : std::nullopt;
}

}  // namespace mimus::scheduler
