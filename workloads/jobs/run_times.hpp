// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "workloads/jobs/job.hpp"
#include "workloads/models/model_catalogue.hpp"

namespace mimus::workloads {

/// How fast gangs train on some machine.
class TrainingRates {
 public:
  virtual ~TrainingRates() = default;
  /// Samples at the reference batch M₀ that `gang` GPUs gain per second with `total_batch` samples
  /// per step: the mean over a training, above 0. Without start-up and checkpoints.
  [[nodiscard]] virtual double samples_per_second(const Model& model, int gang,
                                                  std::int64_t total_batch) const = 0;
};

/// What models' files state: the published rate of one GPU, and perfect scaling.
class PublishedRates final : public TrainingRates {
 public:
  [[nodiscard]] double samples_per_second(const Model& model, int gang,
                                          std::int64_t total_batch) const override;
};

/// Run times of jobs with a model, and the work that they come to. A run time is stated for one
/// machine type; the cluster that runs the job may have another.
class RunTimes {
 public:
  /// By published rates. Jobs whose run time is recorded run for that.
  RunTimes();
  RunTimes(std::shared_ptr<const TrainingRates> stated,
           std::shared_ptr<const TrainingRates> on_cluster);
  /// Jobs whose run time is recorded run for that on the cluster, be there a model or not.
  [[nodiscard]] RunTimes recorded() const;

  /// Samples at M₀ of a job whose stated run time is `stated`; at least 1.
  [[nodiscard]] double samples_in(const Model& model, int gang, std::int64_t total_batch,
                                  Duration stated) const;
  /// Of the cluster.
  [[nodiscard]] double samples_per_second(const Model& model, int gang,
                                          std::int64_t total_batch) const {
    return on_cluster_->samples_per_second(model, gang, total_batch);
  }
  /// How long the cluster takes for so many samples.
  [[nodiscard]] Duration of_samples(const Model& model, int gang, std::int64_t total_batch,
                                    double samples) const;
  /// Run time on the cluster over the stated one.
  [[nodiscard]] double stretch(const Model& model, int gang, std::int64_t total_batch) const;
  /// What a stated run time becomes on the cluster; exactly itself where both are one.
  [[nodiscard]] Duration on_cluster(const Model& model, int gang, std::int64_t total_batch,
                                    Duration stated) const;
  /// Of a job, on the cluster; zero if unknown. Throws UsageError for an unknown model.
  [[nodiscard]] Duration of(const Job& job, const ModelCatalogue& models) const;

 private:
  std::shared_ptr<const TrainingRates> stated_, on_cluster_;
  bool recorded_ = false;
};

}  // namespace mimus::workloads
