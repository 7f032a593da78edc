// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traces/job_shaper.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/quantity_text.hpp"
#include "workloads/jobs/estimate_error.hpp"
#include "workloads/jobs/training_request.hpp"
#include "workloads/traces/trace_format.hpp"

namespace mimus::workloads {
namespace {

bool covers(const DrawnModel& drawn, Duration gpu_time) {
  return drawn.min_gpu_time <= gpu_time && gpu_time <= drawn.max_gpu_time;
}

/// Samples and batch belong to the model that the row names. Another model has its own.
void forget_training(Job& job) {
  job.work_samples = 0.0;
  job.total_batch = 0;
}

}  // namespace

JobShaper::JobShaper(const TraceTraits& traits, const TraceOptions& options, std::string file,
                     const WorkloadContext& context)
    : traits_(traits),
      options_(options),
      file_(std::move(file)),
      models_(context.models),
      cluster_gpus_(context.cluster_gpus),
      run_times_(context.run_times),
      model_draws_(context.seed, "trace models"),
      estimate_draws_(context.seed, "trace estimates") {
  for (const DrawnModel& drawn : options.models) {
    drawable_.push_back(&drawn.model.resolve(context.models));
  }
  for (const std::string& rigid : options.rigid_models) {
    (void)ModelReference{rigid, options.rigid_models_at, "workload.rigid_models"}.resolve(
        context.models);
  }
}

Job JobShaper::shape(const ParsedRow& row, std::span<const Duration> estimates, Instant origin) {
  Job job = row.job;
  job.id = JobId{next_id_};
  if (job.name.empty()) job.name = fmt::format("job-{}", job.id.value());
  const double lengthened = clamp_gang(job);
  scale_times(job, row, origin);
  if (job.course && job.run_time != row.job.run_time) {
    throw ConfigError(at(row.gpus_at), "",
                      "the job changes its batch by a plan that cannot be stretched: leave "
                      "workload.throughputs or workload.scale_run_times out, or take a cluster on "
                      "which it fits");
  }
  const Model* model = footprint(job, row);
  set_work(job, model);
  set_estimate(job, row, estimates, lengthened * options_.scale_run_times);
  ++next_id_;
  return job;
}

double JobShaper::clamp_gang(Job& job) const {
  if (job.gang <= cluster_gpus_) return 1.0;
  const double lengthened = static_cast<double>(job.gang) / cluster_gpus_;
  job.run_time = scale(job.run_time, lengthened);
  job.gang = cluster_gpus_;
  return lengthened;
}

void JobShaper::scale_times(Job& job, const ParsedRow& row, Instant origin) const {
  job.arrival = Instant{job.arrival - origin};
  if (options_.compress_arrivals != 1.0) {
    job.arrival = Instant{from_seconds(to_seconds(job.arrival) / options_.compress_arrivals)};
  }
  if (job.run_time == Duration{}) return;
  if (options_.scale_run_times != 1.0) {
    // Zero would mean that no run time was recorded.
    job.run_time = std::max(scale(job.run_time, options_.scale_run_times), Duration{1});
  }
  if (to_seconds(job.run_time) > kMaxTraceSeconds) {
    throw ConfigError(at(row.gpus_at), "",
                      fmt::format("the job runs for {} after scaling and clamping, longer than {}",
                                  format_duration(job.run_time),
                                  format_duration(from_seconds(kMaxTraceSeconds))));
  }
}

const Model* JobShaper::footprint(Job& job, const ParsedRow& row) const {
  const Model* model = nullptr;
  if (!job.model.empty() && (options_.keep_models || job.run_time == Duration{})) {
    model = &ModelReference{job.model, at(row.model_at), traits_.model_column}.resolve(models_);
  } else {
    if (!job.model.empty()) forget_training(job);
    if (!options_.models.empty()) model = &draw(job, row);
  }
  job.model = model != nullptr ? model->name : "";
  return model;
}

const Model& JobShaper::draw(const Job& job, const ParsedRow& row) const {
  const Duration gpu_time = scale(job.run_time, job.gang);
  double total = 0.0;
  for (const DrawnModel& drawn : options_.models) {
    if (covers(drawn, gpu_time)) total += drawn.weight;
  }
  double below = model_draws_.at(row.row).uniform() * total;
  std::size_t last = options_.models.size();
  for (std::size_t i = 0; i < options_.models.size(); ++i) {
    if (!covers(options_.models[i], gpu_time)) continue;
    last = i;
    if (below < options_.models[i].weight) break;
    below -= options_.models[i].weight;
  }
  if (last < options_.models.size()) return *drawable_[last];
  throw ConfigError(at(row.gpus_at), "",
                    fmt::format("the job needs {} of GPU time, which no entry of \"models\" "
                                "covers; widen a min_gpu_time or max_gpu_time",
                                format_duration(gpu_time)));
}

void JobShaper::set_work(Job& job, const Model* model) const {
  if (model == nullptr) {
    job.total_batch = job.total_batch > 0 ? job.total_batch : std::max(1, job.gang);
    job.work_samples = to_seconds(job.run_time);
    return;
  }
  job.rigid = std::find(options_.rigid_models.begin(), options_.rigid_models.end(), model->name) !=
              options_.rigid_models.end();
  if (job.total_batch == 0) {
    job.total_batch = total_batch(*model, job.gang, BatchChoice::reference);
  }
  if (job.work_samples > 0.0) {
    job.work_samples *= options_.scale_run_times;
  } else if (job.run_time > Duration{}) {
    job.work_samples = run_times_.samples_in(*model, job.gang, job.total_batch, job.run_time);
  } else {
    job.work_samples =
        options_.work_fraction * model->training_samples() * options_.scale_run_times;
  }
}

void JobShaper::set_estimate(Job& job, const ParsedRow& row, std::span<const Duration> estimates,
                             double factor) const {
  switch (options_.estimate) {
    case StatedEstimate::none:
      return;
    case StatedEstimate::exact:
      job.user_estimate = run_times_.of(job, models_);
      return;
    case StatedEstimate::noisy:
      job.user_estimate = erring_estimate(run_times_.of(job, models_), options_.estimate_error,
                                          estimate_draws_.at(row.row));
      return;
    case StatedEstimate::column: {
      const Duration stated = estimates[options_.estimate_column];
      job.user_estimate = factor != 1.0 ? scale(stated, factor) : stated;
      return;
    }
  }
}

}  // namespace mimus::workloads
