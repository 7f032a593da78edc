// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/shockwave/training_belief.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace mimus::scheduler {
namespace {

constexpr double kTrusted = 0.4;  ///< by which samples may differ from the profile's

/// The artifact counts whole seconds.
double epoch_seconds(const EpochProfile::Mode& mode) {
  return std::max(1.0, std::round(mode.epoch_time));
}

/// What the profile makes in so many seconds of training [samples per GPU].
double profiled_samples(const EpochProfile& profile, double seconds) {
  double samples = 0.0;
  for (std::size_t epoch = 0; epoch < profile.of_epoch.size(); ++epoch) {
    const EpochProfile::Mode& mode = profile.modes[profile.of_epoch[epoch]];
    const double of_epoch = static_cast<double>(mode.batch) * mode.rate * mode.epoch_time;
    const bool is_last = epoch + 1 == profile.of_epoch.size();
    const double time = epoch_seconds(mode);
    if (seconds < time || is_last) return samples + of_epoch * seconds / time;
    samples += of_epoch;
    seconds -= time;
  }
  return samples;
}

/// Epochs that are still expected with each batch, not yet scaled to those that are left.
std::vector<double> expected(const EpochProfile& profile, std::size_t seen) {
  const auto epochs = static_cast<double>(profile.of_epoch.size());
  std::vector<double> observed(profile.modes.size(), 0.0);
  for (std::size_t epoch = 0; epoch < seen; ++epoch) ++observed[profile.of_epoch[epoch]];
  std::vector<bool> occurs(profile.modes.size(), false);
  for (const std::size_t mode : profile.of_epoch) occurs[mode] = true;
  const auto modes = static_cast<double>(std::ranges::count(occurs, true));
  std::vector<double> counts(profile.modes.size(), 0.0);
  for (std::size_t mode = 0; mode < counts.size(); ++mode) {
    if (!occurs[mode]) continue;
    const double weight = epochs / modes + observed[mode];
    const double count = epochs * weight / (epochs + static_cast<double>(seen));
    counts[mode] = count - std::min(observed[mode], std::floor(count));
  }
  return counts;
}

}  // namespace

void ProfiledTraining::hear(const EpochProfile& profile, const EpochReport& report) {
  samples_ += report.samples;
  trained_ += report.trained;
  const double profiled = profiled_samples(profile, trained_);
  if (samples_ <= 0.0 || profiled <= 0.0) return;
  if (std::abs(samples_ - profiled) > kTrusted * profiled) factor_ = profiled / samples_;
}

double epochs_within(const EpochProfile& profile, double seconds) {
  for (std::size_t epoch = 0; epoch < profile.of_epoch.size(); ++epoch) {
    const double time = profile.modes[profile.of_epoch[epoch]].epoch_time;
    if (seconds < time) return static_cast<double>(epoch) + seconds / time;
    seconds -= time;
  }
  return static_cast<double>(profile.of_epoch.size());
}

TrainingBelief ProfiledTraining::belief(const EpochProfile& profile, double made) const {
  const std::size_t all = profile.of_epoch.size();
  const auto epochs = static_cast<double>(all);
  made = std::min(std::floor(made), epochs);
  const std::size_t seen = std::min(static_cast<std::size_t>(made) + 1, all);
  TrainingBelief belief{.made = made / epochs};
  double of_seen = 0.0;
  for (std::size_t epoch = 0; epoch < seen; ++epoch) {
    const double time = factor_ * epoch_seconds(profile.modes[profile.of_epoch[epoch]]);
    of_seen += time;
    if (static_cast<double>(epoch) < made) belief.spent += time;
  }
  belief.rest = (epochs - made) * of_seen / static_cast<double>(seen);
  if (made >= epochs) {
    belief.left = 1.0;
    return belief;
  }
  const std::vector<double> counts = expected(profile, seen);
  double sum = 0.0;
  for (std::size_t mode = 0; mode < counts.size(); ++mode) {
    sum += counts[mode];
    belief.left += counts[mode] * factor_ * epoch_seconds(profile.modes[mode]);
  }
  belief.left *= (epochs - made) / std::max(std::floor(sum + 1.0), epochs - made);
  return belief;
}

TrainingBelief unprofiled(double trained, double left) {
  return {.made = trained / (trained + left), .spent = trained, .rest = left, .left = left};
}

}  // namespace mimus::scheduler
