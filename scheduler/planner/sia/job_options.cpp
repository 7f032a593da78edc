// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/sia/job_options.hpp"

#include <algorithm>
#include <cmath>

#include "scheduler/planner/best_goodput.hpp"
#include "scheduler/planner/handout.hpp"

namespace mimus::scheduler {
namespace {

constexpr double kWorthLeast = 1e-4;
constexpr double kCostMost = 3000.0;

int usable_on(const PlanQuery& query, NodeId node) {
  int usable = 0;
  for (int k = 0; k < query.cluster.shape().gpus_on(node); ++k) {
    if (query.placer.usable(GpuId{query.cluster.shape().first_gpu(node) + k})) ++usable;
  }
  return usable;
}

}  // namespace

OptionsOfJobs::OptionsOfJobs(const PlanQuery& query, int most_gpus)
    : query_(query), most_gpus_(most_gpus) {
  for (int type = 0; type < query.cluster.shape().types(); ++type) {
    by_type_.push_back(configurations(type));
  }
}

std::vector<Configuration> OptionsOfJobs::configurations(int type) const {
  const ClusterShape& shape = query_.cluster.shape();
  const int per_node = shape.most_per_node(type);
  int whole_nodes = 0;
  int most = 0;
  for (std::int64_t n = 0; n < shape.nodes; ++n) {
    if (shape.type_of(NodeId{n}) != type) continue;
    const int usable = usable_on(query_, NodeId{n});
    most = std::max(most, usable);
    if (usable == per_node) ++whole_nodes;
  }
  std::vector<Configuration> found;
  for (int gpus = 1; gpus <= most && gpus < per_node; gpus *= 2) found.push_back({type, 1, gpus});
  for (int nodes = 1; nodes <= whole_nodes; ++nodes) {
    found.push_back({type, nodes, nodes * per_node});
  }
  return found;
}

std::optional<Configuration> OptionsOfJobs::now(const JobView& job) const {
  if (!job.holds_gpus() || job.state == JobState::stopping) return std::nullopt;
  const auto& slots = job.allocation.slots;
  const auto is_usable = [&](const Slot& slot) { return query_.placer.usable(slot.gpu); };
  if (!std::ranges::all_of(slots, is_usable)) return std::nullopt;
  return Configuration{.type = query_.cluster.shape().type_of(slots.front().gpu),
                       .gpus = static_cast<int>(slots.size())};
}

std::vector<Configuration> OptionsOfJobs::possible(const JobView& job, int type) const {
  const int per_node = query_.cluster.shape().most_per_node(type);
  const int fewest = job.fewest_gpus();
  const Configuration smallest{type, (fewest + per_node - 1) / per_node, fewest};
  if (job.rigid) return {smallest};
  const std::int64_t by_batch =
      job.model.total_batch_max / std::max<std::int64_t>(1, job.model.per_gpu_batch_min);
  const std::int64_t most = std::min<std::int64_t>(
      {most_gpus_, job.most_gpus(), std::max(query_.estimate.most_gpus(job, type), fewest),
       std::max<std::int64_t>(1, by_batch)});
  std::vector<Configuration> some = by_type_[static_cast<std::size_t>(type)];
  std::erase_if(some, [&](const Configuration& what) {
    return what.gpus > most || what.gpus < fewest || what.gpus % job.replica_gpus != 0;
  });
  if (std::ranges::find(some, fewest, &Configuration::gpus) == some.end()) some.push_back(smallest);
  return some;
}

double OptionsOfJobs::goodput(const JobView& job, const Configuration& what) {
  const Bytes memory = query_.cluster.shape().memory_of_type(what.type);
  const BatchLimits limits = limits_within(job.model, memory);
  const GpuSpread spread{what.nodes, what.gpus, what.type};
  if (!job.rigid) return best_goodput(query_.estimate, job, limits, spread, grids_);
  const StepRate rate = query_.estimate.rate_on(job, spread);
  return rate ? rate(split_batch(job.requested_batch, what.gpus, limits)).value_or(0.0) : 0.0;
}

std::vector<JobOption> OptionsOfJobs::operator()(const PlanJob& job) {
  const JobView& view = *job.view;
  const auto has = now(view);
  const Handout handout(query_);
  std::vector<JobOption> options;
  for (int type = 0; type < query_.cluster.shape().types(); ++type) {
    if (!has_type(view.types, type)) continue;
    std::vector<JobOption> of_type;
    for (const Configuration& what : possible(view, type)) {
      if (handout.would_give(job, what.gpus) == Handout::Answer::over_quota) continue;
      const bool is_now = has && has->type == type && has->gpus == what.gpus;
      of_type.push_back({what, goodput(view, what), is_now});
    }
    const auto is_unknown = [](const JobOption& option) { return option.goodput <= 0.0; };
    if (!std::ranges::all_of(of_type, is_unknown)) {
      std::erase_if(of_type, is_unknown);
    } else if (!of_type.empty()) {
      of_type.resize(1);
    }
    options.insert(options.end(), of_type.begin(), of_type.end());
  }
  return options;
}

std::vector<std::int64_t> costs_of(const std::vector<JobOption>& options, int least, double restart,
                                   double power) {
  double worst = 0.0;
  for (const JobOption& option : options) {
    const bool is_worse = option.goodput > 0.0 && (worst == 0.0 || option.goodput < worst);
    if (is_worse) worst = option.goodput;
  }
  const bool runs = std::ranges::any_of(options, &JobOption::is_now);
  std::vector<std::int64_t> costs;
  for (const JobOption& option : options) {
    double value = option.goodput > 0.0 ? option.goodput / worst * least : least;
    value = std::max(value, kWorthLeast);
    if (runs && !option.is_now) value *= restart;
    const double cost = std::min(std::pow(value, power), kCostMost);
    costs.push_back(static_cast<std::int64_t>(std::nearbyint(100.0 * cost)));
  }
  return costs;
}

}  // namespace mimus::scheduler
