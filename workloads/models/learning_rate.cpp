// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/models/learning_rate.hpp"

#include "workloads/models/noise_scale.hpp"

namespace mimus::workloads {

double adascale_gain(double noise_scale, double reference_batch, double total_batch) {
  return total_batch / reference_batch *
         statistical_efficiency(noise_scale, reference_batch, total_batch);
}

double learning_rate_share(double x, double gain, double initial) {
  const double q = x / gain;
  return q * (2.0 - initial * q) / (2.0 - initial);
}

double learning_progress(double x, double gain, double initial) {
  return gain * learning_rate_share(x, gain, initial);
}

}  // namespace mimus::workloads
