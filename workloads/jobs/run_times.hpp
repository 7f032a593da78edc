// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "workloads/jobs/job.hpp"
#include "workloads/models/model_catalogue.hpp"

namespace mimus::workloads {

/// How fast gangs train on a machine type.
class TrainingRates {
 public:
  virtual ~TrainingRates() = default;
  /// Progress of `gang` GPUs with `total_batch` samples per step, in samples at the reference batch
  /// M₀ per second: the mean over a training, above 0, without start-up and checkpoints.
  [[nodiscard]] virtual double samples_per_second(const Model& model, int gang,
                                                  std::int64_t total_batch) const = 0;
};

/// The rates in the model files: the published rate of one GPU, with perfect scaling.
class PublishedRates final : public TrainingRates {
 public:
  [[nodiscard]] double samples_per_second(const Model& model, int gang,
                                          std::int64_t total_batch) const override;
};

/// Converts run times of jobs with a model into work. A run time is stated for one machine type;
/// the cluster that runs the job may have another.
class RunTimes {
 public:
  /// By published rates. Jobs with a recorded run time run for this time.
  RunTimes();
  RunTimes(std::shared_ptr<const TrainingRates> stated,
           std::shared_ptr<const TrainingRates> on_cluster);
  /// Jobs with a recorded run time run for this time on the cluster, with or without a model.
  [[nodiscard]] RunTimes recorded() const;

  /// Samples at M₀ of a job with the stated run time `stated`; at least 1.
  [[nodiscard]] double samples_in(const Model& model, int gang, std::int64_t total_batch,
                                  Duration stated) const;
  /// Of the cluster.
  [[nodiscard]] double samples_per_second(const Model& model, int gang,
                                          std::int64_t total_batch) const {
    return on_cluster_->samples_per_second(model, gang, total_batch);
  }
  /// Time that the cluster takes for this number of samples.
  [[nodiscard]] Duration of_samples(const Model& model, int gang, std::int64_t total_batch,
                                    double samples) const;
  /// Ratio of the run time on the cluster to the stated one.
  [[nodiscard]] double stretch(const Model& model, int gang, std::int64_t total_batch) const;
  /// The run time on the cluster for a stated one; the same if both are one machine type.
  [[nodiscard]] Duration on_cluster(const Model& model, int gang, std::int64_t total_batch,
                                    Duration stated) const;
  /// Run time of a job on the cluster; zero if unknown. Throws UsageError for an unknown model.
  [[nodiscard]] Duration of(const Job& job, const ModelCatalogue& models) const;

 private:
  std::shared_ptr<const TrainingRates> stated_, on_cluster_;
  bool recorded_ = false;
};

}  // namespace mimus::workloads
