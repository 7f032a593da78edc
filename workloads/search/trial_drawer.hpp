// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "workloads/jobs/workload_source.hpp"
#include "workloads/search/search_settings.hpp"

namespace mimus::workloads {

/// Draws the trials of searches. Each is drawn by its id and the seed alone, so that a search tries
/// the same hyper-parameters under every policy and every rule to stop trials.
class TrialDrawer {
 public:
  /// Throws ConfigError for a model that is not known and a gang that is larger than the cluster.
  TrialDrawer(std::shared_ptr<const SearchSettings> settings, const WorkloadContext& context);

  [[nodiscard]] const SearchSettings& settings() const { return *settings_; }
  [[nodiscard]] JobId id_of(std::int64_t search, std::int64_t trial) const {
    return JobId{search * settings_->trials + trial};
  }
  [[nodiscard]] std::int64_t search_of(JobId id) const { return id.value() / settings_->trials; }
  [[nodiscard]] std::int64_t trial_of(JobId id) const { return id.value() % settings_->trials; }

  /// Ascending.
  [[nodiscard]] Instant arrival_of(std::int64_t search) const {
    return arrivals_[static_cast<std::size_t>(search)];
  }
  [[nodiscard]] static std::string application(std::int64_t search);
  /// It arrives with its search.
  [[nodiscard]] Job job(JobId id) const;
  /// Over the best one at its batch.
  [[nodiscard]] double learning_rate(JobId id) const;
  [[nodiscard]] std::int64_t batch(JobId id) const;
  /// What the validation with this number, of a trial that has come so far, finds.
  [[nodiscard]] double loss(JobId id, std::size_t rung, double progress) const;

 private:
  /// Of the best learning rate's progress, what this one gains: z·(2 − z), which is
  /// learning_progress() at M₀ over that of z = 1 (McCandlish et al. 2018).
  [[nodiscard]] double pace(JobId id) const;

  std::shared_ptr<const SearchSettings> settings_;
  const Model& model_;
  RunTimes known_;
  std::vector<Instant> arrivals_;  ///< of searches
  NumberedStreams rates_, batches_, losses_, estimates_;
};

}  // namespace mimus::workloads
