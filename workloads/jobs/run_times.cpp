// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/jobs/run_times.hpp"

#include <algorithm>
#include <utility>

namespace mimus::workloads {

double PublishedRates::samples_per_second(const Model& model, int gang, std::int64_t) const {
  return model.reference_throughput * gang;
}

RunTimes::RunTimes() : stated_(std::make_shared<PublishedRates>()), on_cluster_(stated_) {
  recorded_ = true;
}

RunTimes::RunTimes(std::shared_ptr<const TrainingRates> stated,
                   std::shared_ptr<const TrainingRates> on_cluster)
    : stated_(std::move(stated)), on_cluster_(std::move(on_cluster)) {}

RunTimes RunTimes::recorded() const {
  RunTimes out = *this;
  out.recorded_ = true;
  return out;
}

double RunTimes::samples_in(const Model& model, int gang, std::int64_t total_batch,
                            Duration stated) const {
  return std::max(1.0, to_seconds(stated) * stated_->samples_per_second(model, gang, total_batch));
}

Duration RunTimes::of_samples(const Model& model, int gang, std::int64_t total_batch,
                              double samples) const {
  return from_seconds(samples / on_cluster_->samples_per_second(model, gang, total_batch));
}

double RunTimes::stretch(const Model& model, int gang, std::int64_t total_batch) const {
  if (stated_ == on_cluster_) return 1.0;
  return stated_->samples_per_second(model, gang, total_batch) /
         on_cluster_->samples_per_second(model, gang, total_batch);
}

Duration RunTimes::on_cluster(const Model& model, int gang, std::int64_t total_batch,
                              Duration stated) const {
  const double factor = stretch(model, gang, total_batch);
  return factor == 1.0 ? stated : scale(stated, factor);
}

Duration RunTimes::of(const Job& job, const ModelCatalogue& models) const {
  if (job.model.empty() || (recorded_ && job.run_time > Duration{})) return job.run_time;
  return of_samples(models.at(job.model), job.gang, job.total_batch, job.work_samples);
}

}  // namespace mimus::workloads
