// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/ones/ones_rules.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace mimus::scheduler {

double learning_rate(int gpus, double largest) {
  return std::min(static_cast<double>(gpus), largest);
}

double per_gpu_batch(double base, int gpus, double largest) {
  return base * learning_rate(gpus, largest) / gpus;
}

double remaining_service(double samples, double progress, int gpus, double throughput) {
  return samples * gpus * (1.0 / progress - 1.0) / throughput;
}

int cut_back(int size, double run_time, double median) {
  const double cut = 2.0 * size / (run_time / median + 1.0);
  const int whole = std::max(1, static_cast<int>(cut));
  return whole + whole % 2;
}

double median_of(std::span<const double> values) {
  if (values.empty()) return 0.0;
  std::vector<double> sorted(values.begin(), values.end());
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  return *middle;
}

BatchPlan ones_batch(const JobView& job, int gpus, const BatchLimits& limits) {
  if (job.rigid) return split_batch(job.requested_batch, gpus, limits);
  const double base = static_cast<double>(job.requested_batch) / job.requested_gang;
  const double largest = std::max(1.0, static_cast<double>(limits.total_max) / base);
  const double total = gpus * per_gpu_batch(base, gpus, largest);
  return split_batch(std::llround(total), gpus, limits);
}

}  // namespace mimus::scheduler
