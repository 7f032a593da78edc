// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/learning_truth.hpp"

#include <algorithm>

#include "workloads/models/learning_rate.hpp"
#include "workloads/models/noise_scale.hpp"

namespace mimus::emulator {

double LearningTruth::factor(double noise_scale, double reference, double total,
                             double samples_done) const {
  const double r = workloads::adascale_gain(noise_scale, reference, total);
  return rate.factor(total / reference, r, samples_done / reference);
}

double LearningTruth::gain(double noise_scale, double reference, double total,
                           double samples_done) const {
  const double best = total * workloads::statistical_efficiency(noise_scale, reference, total);
  const double r = workloads::adascale_gain(noise_scale, reference, total);
  const double x = factor(noise_scale, reference, total, samples_done);
  return best * std::max(0.0, workloads::learning_rate_share(x, r, initial));
}

}  // namespace mimus::emulator
