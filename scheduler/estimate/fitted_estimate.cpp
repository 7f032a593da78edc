// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/estimate/fitted_estimate.hpp"

#include <algorithm>
#include <vector>

#include "scheduler/cluster/cluster.hpp"

namespace mimus::scheduler {
namespace {

/// A job may get at most this multiple of the GPUs that it has had (Pollux' artifact:
/// max_replicas).
constexpr int kExploration = 2;

StepSample as_fitted(const JobSample& sample) {
  return {sample.nodes, sample.gpus, sample.batch.per_gpu, to_seconds(sample.compute()),
          to_seconds(sample.short_step())};
}

}  // namespace

FittedEstimate::FittedEstimate(Settings settings, std::shared_ptr<const ThroughputEstimate> profile)
    : settings_(settings), profile_(std::move(profile)) {
  if (settings.loss != LossRule::none) losses_.emplace(settings.loss, settings.interval);
}

std::string FittedEstimate::name() const {
  std::string name = settings_.per == Per::model ? "fitted(model)" : "fitted";
  if (settings_.solo == Solo::profiled) name += profile_ ? "+" + profile_->name() : "+profile";
  return name;
}

FittedEstimate::Knowledge& FittedEstimate::knowledge_of(const JobView& job) {
  OfTypes& types = settings_.per == Per::job ? of_jobs_[job.id] : of_models_[job.model.name];
  return types[type_of(job.allocation)];
}

const FittedEstimate::OfTypes* FittedEstimate::types_of(const JobView& job) const {
  const auto in = [](const auto& known, const auto& key) {
    const auto found = known.find(key);
    return found == known.end() ? nullptr : &found->second;
  };
  return settings_.per == Per::job ? in(of_jobs_, job.id) : in(of_models_, job.model.name);
}

const FittedEstimate::Knowledge* FittedEstimate::find(const JobView& job, int type) const {
  const OfTypes* types = types_of(job);
  if (types == nullptr) return nullptr;
  const auto found = types->find(type);
  return found == types->end() ? nullptr : &found->second;
}

/// Gangs are on GPUs of one type.
int FittedEstimate::type_of(const Allocation& allocation) const {
  return allocation.slots.empty() ? kOnlyType : shape().type_of(allocation.slots.front().gpu);
}

void FittedEstimate::observe(const JobView& job, const JobSample& sample) {
  if (losses_) losses_->observe(job, sample);
  if (sample.co_tenants > 0 || sample.steps == 0 || sample.compute() <= Duration::zero()) return;
  Knowledge& known = knowledge_of(job);
  known.most_gpus = std::max(known.most_gpus, sample.gpus);
  known.profile.add(as_fitted(sample), static_cast<double>(sample.steps));
  if (!known.profile.has_news() || sample.end < known.fit_from) return;
  known.model = known.profile.fit();
  known.fit_from = sample.end + settings_.interval;
}

void FittedEstimate::left(const JobView& job) {
  if (losses_) losses_->forget(job.id);
  of_jobs_.erase(job.id);
}

int FittedEstimate::nodes_of(const Allocation& allocation) const {
  std::vector<std::int64_t> nodes;
  nodes.reserve(allocation.slots.size());
  for (const Slot& slot : allocation.slots) nodes.push_back(shape().node_of(slot.gpu).value());
  std::sort(nodes.begin(), nodes.end());
  return static_cast<int>(std::unique(nodes.begin(), nodes.end()) - nodes.begin());
}

std::optional<double> FittedEstimate::throughput(const JobView& job, const Allocation& allocation,
                                                 const BatchPlan& batch) const {
  const auto gpus = static_cast<int>(allocation.slots.size());
  const int type = type_of(allocation);
  if (gpus == 0 || gpus > most_gpus(job, type)) return std::nullopt;
  const StepRate rate = rate_on(job, {nodes_of(allocation), gpus, type});
  return rate ? rate(batch) : std::nullopt;
}

StepRate FittedEstimate::rate_on(const JobView& job, GpuSpread spread) const {
  const Knowledge* known = find(job, spread.type);
  const bool has_tried = known != nullptr && known->most_gpus > 1;
  if (settings_.solo == Solo::profiled && !has_tried) return carried_over(job, spread);
  return known == nullptr ? StepRate{} : fitted_rate(*known, spread);
}

StepRate FittedEstimate::fitted_rate(const Knowledge& known, GpuSpread spread) {
  return [&model = known.model, spread](const BatchPlan& batch) -> std::optional<double> {
    const double step = model.step_time(spread.nodes, spread.gpus, batch);
    return static_cast<double>(batch.total(static_cast<std::size_t>(spread.gpus))) / step;
  };
}

StepRate FittedEstimate::carried_over(const JobView& job, GpuSpread spread) const {
  const OfTypes* types = types_of(job);
  auto tried = OfTypes::const_iterator{};
  if (types != nullptr) {
    tried = std::ranges::max_element(*types, {},
                                     [](const auto& entry) { return entry.second.most_gpus; });
  }
  if (types == nullptr || tried->second.most_gpus <= 1) {
    return [this, &job, spread](const BatchPlan& batch) -> std::optional<double> {
      const auto one = profiled(job, spread.type, batch);
      return one ? std::optional(*one * spread.gpus) : std::nullopt;
    };
  }
  return [this, &job, spread, other = tried->first,
          there = fitted_rate(tried->second, spread)](const BatchPlan& batch) {
    const auto one_here = profiled(job, spread.type, batch);
    const auto one_there = profiled(job, other, batch);
    if (!one_here || !one_there) return std::optional<double>{};
    return std::optional(*there(batch) * *one_here / *one_there);
  };
}

std::optional<double> FittedEstimate::profiled(const JobView& job, int type,
                                               const BatchPlan& batch) const {
  const Allocation one{{{shape().first_of_type(type), {}}}};
  const auto step = profile_->step_time(job.model.name, one, batch);
  if (!step || *step <= Duration::zero()) return std::nullopt;
  return static_cast<double>(batch.total(1)) / to_seconds(*step);
}

int FittedEstimate::most_gpus(const JobView& job, int type) const {
  int had = 0;
  if (const OfTypes* types = types_of(job)) {
    for (const auto& [of_type, known] : *types) {
      const bool counts = settings_.solo == Solo::profiled || of_type == type;
      if (counts) had = std::max(had, known.most_gpus);
    }
  }
  return std::max(1, kExploration * had);
}

std::optional<double> FittedEstimate::noise_scale(const JobView& job) const {
  if (job.progress.noise_scale <= 0.0) return std::nullopt;
  return job.progress.noise_scale;
}

const LossBelief* FittedEstimate::loss(const JobView& job) const {
  return losses_ ? losses_->find(job.id) : nullptr;
}

std::optional<double> FittedEstimate::samples_left(const JobView& job) const {
  return losses_ ? losses_->samples_left(job) : std::nullopt;
}

}  // namespace mimus::scheduler
