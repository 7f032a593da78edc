// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/estimate/alike_epochs.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace mimus::scheduler {

void AlikeEpochs::observe(const JobView& job, const JobSample& sample) {
  if (job.epoch_samples <= 0.0 || sample.loss <= 0.0) return;
  Running& running = running_[job.id];
  if (running.first_loss == 0.0) running.first_loss = sample.loss;
  const double epochs = sample.samples_done / job.epoch_samples;
  const Features features{std::log(job.epoch_samples), running.first_loss, epochs,
                          1.0 - sample.loss / running.first_loss};
  if (std::floor(epochs) > std::floor(running.epochs)) running.epochs_passed.push_back(features);
  running.epochs = epochs;
  running.left = mean_left(features);
}

void AlikeEpochs::learn(const JobView& finished) {
  constexpr std::size_t kMostRecords = 2000;
  const auto running = running_.find(finished.id);
  if (running == running_.end()) return;
  const double all = finished.progress.samples_done / finished.epoch_samples;
  for (const Features& features : running->second.epochs_passed) {
    records_.push_back({features, std::max(all - features[2], 0.0)});
    if (records_.size() > kMostRecords) records_.pop_front();
  }
  measure_spread();
}

void AlikeEpochs::measure_spread() {
  const auto count = static_cast<double>(records_.size());
  for (std::size_t f = 0; f < kFeatures; ++f) {
    double sum = 0.0;
    double squares = 0.0;
    for (const Record& record : records_) sum += record.features[f];
    for (const Record& record : records_) {
      const double off = record.features[f] - sum / count;
      squares += off * off;
    }
    spread_[f] = squares > 0.0 ? std::sqrt(squares / count) : 1.0;
  }
}

std::optional<double> AlikeEpochs::mean_left(const Features& features) const {
  constexpr std::size_t kNeighbours = 5;
  if (records_.empty()) return std::nullopt;
  std::vector<std::pair<double, std::size_t>> distances;  // ties to the earlier record
  for (std::size_t i = 0; i < records_.size(); ++i) {
    double distance = 0.0;
    for (std::size_t f = 0; f < kFeatures; ++f) {
      const double off = (records_[i].features[f] - features[f]) / spread_[f];
      distance += off * off;
    }
    distances.emplace_back(distance, i);
  }
  const std::size_t nearest = std::min(kNeighbours, distances.size());
  const auto end = distances.begin() + static_cast<std::ptrdiff_t>(nearest);
  std::partial_sort(distances.begin(), end, distances.end());
  double sum = 0.0;
  for (auto near = distances.begin(); near != end; ++near) sum += records_[near->second].left;
  return sum / static_cast<double>(nearest);
}

std::optional<double> AlikeEpochs::epochs_left(JobId job) const {
  const auto running = running_.find(job);
  return running == running_.end() ? std::nullopt : running->second.left;
}

}  // namespace mimus::scheduler
