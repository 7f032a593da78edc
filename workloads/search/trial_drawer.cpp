// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/search/trial_drawer.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "workloads/generate/arrival_clock.hpp"
#include "workloads/generate/numbered_name.hpp"
#include "workloads/jobs/estimate_error.hpp"

namespace mimus::workloads {

TrialDrawer::TrialDrawer(std::shared_ptr<const SearchSettings> settings,
                         const WorkloadContext& context)
    : settings_(std::move(settings)),
      model_(settings_->model->resolve(context.models)),
      known_(context.run_times),
      rates_(context.seed, "search learning rates"),
      batches_(context.seed, "search batches"),
      losses_(context.seed, "search losses"),
      estimates_(context.seed, "search estimates") {
  if (settings_->gang > context.cluster_gpus) {
    throw ConfigError(settings_->gang_where, "gang",
                      fmt::format("a trial asks for {} GPUs, but the cluster has {}",
                                  settings_->gang, context.cluster_gpus));
  }
  const NumberedStreams gaps(context.seed, "search arrivals");
  const double gap = to_seconds(settings_->mean_interarrival);
  Duration arrival{};
  for (std::int64_t search = 0; search < settings_->searches; ++search) {
    if (search > 0 && gap > 0.0) arrival += from_seconds(gaps.at(search).exponential(gap));
    check_arrival(arrival);
    arrivals_.emplace_back(arrival);
  }
}

std::string TrialDrawer::application(std::int64_t search) {
  return numbered_name("search-", search);
}

double TrialDrawer::learning_rate(JobId id) const {
  const auto& [min, max] = settings_->learning_rate;
  return min * std::pow(max / min, rates_.at(id.value()).uniform());
}

double TrialDrawer::pace(JobId id) const {
  const double z = learning_rate(id);
  return z * (2.0 - z);
}

std::int64_t TrialDrawer::batch(JobId id) const {
  const auto& all = settings_->batches;
  if (all.empty()) return total_batch(model_, settings_->gang, BatchChoice::reference);
  const auto drawn = batches_.at(id.value()).below(static_cast<std::int64_t>(all.size()));
  return all[static_cast<std::size_t>(drawn)];
}

Job TrialDrawer::job(JobId id) const {
  Job job;
  job.id = id;
  job.application = application(search_of(id));
  job.name = numbered_name(job.application + "-", trial_of(id));
  job.model = model_.name;
  job.gang = settings_->gang;
  job.total_batch = batch(id);
  job.work_samples =
      std::max(1.0, settings_->work.samples(model_, job.gang, job.total_batch, known_));
  job.arrival = arrival_of(search_of(id));
  job.loss_pace = pace(id);
  if (settings_->estimate_error) {
    const Duration run_time =
        known_.of_samples(model_, job.gang, job.total_batch, job.work_samples);
    job.user_estimate =
        erring_estimate(run_time, *settings_->estimate_error, estimates_.at(id.value()));
  }
  return job;
}

double TrialDrawer::loss(JobId id, std::size_t rung, double progress) const {
  constexpr double kLeast = 1e-3;
  constexpr std::int64_t kMostRungs = 256;  // with the least reduction and the least first rung
  const auto number = id.value() * kMostRungs + static_cast<std::int64_t>(rung);
  const double noise = settings_->loss_noise * losses_.at(number).normal();
  return model_.loss.at(pace(id) * progress) * std::max(1.0 + noise, kLeast);
}

}  // namespace mimus::workloads
