// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/node_scaling.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "scheduler/planner/handout.hpp"

namespace mimus::scheduler {
namespace {

/// GPUs of as many of the `wanted` nodes as there are for the job; where its quota is smaller than
/// a node, the gang that it asked for.
int give_nodes(Handout& handout, const PlanJob& job, int wanted, int gpus_per_node) {
  using Answer = Handout::Answer;
  for (int nodes = wanted; nodes > 0; --nodes) {
    if (handout.give(job, nodes * gpus_per_node) == Answer::given) return nodes * gpus_per_node;
  }
  const int gang = job.view->requested_gang;
  const bool too_large = handout.would_give(job, gpus_per_node) == Answer::over_quota;
  return too_large && handout.give(job, gang) == Answer::given ? gang : 0;
}

}  // namespace

int NodeScaling::nodes(int held, int most, const std::function<double(int)>& value) const {
  const double one = value(1);
  if (one <= 0.0 || value(held) <= settings_.keep * held * one) return held;
  for (int more = most; more > held; --more) {
    if (value(more) >= settings_.least * more * one) return more;
  }
  return held;
}

std::optional<ValuedBatch> NodeScaling::best(const PlanQuery& query, const JobView& job,
                                             int nodes) const {
  const int gpus = nodes * query.cluster.shape().gpus_per_node;
  const StepRate rate = query.estimate.rate_on(job, {nodes, gpus});
  // Where gradients are noise alone every sample counts: the goodput is the throughput.
  const std::optional<double> noise = settings_.by == By::goodput
                                          ? query.estimate.noise_scale(job)
                                          : std::numeric_limits<double>::infinity();
  if (!rate || !noise) return std::nullopt;
  const auto limits = limits_within(job.model, query.cluster.shape().gpu_memory);
  return best_batch(job.model, limits, gpus, *noise, rate);
}

Plan NodeScaling::plan(const PlanQuery& query) {
  const ClusterShape& shape = query.cluster.shape();
  const int most = std::min(settings_.most_nodes, shape.nodes);
  Handout handout(query);
  Plan plan;
  for (const PlanJob& job : query.jobs) {
    const JobView& view = *job.view;
    const auto value = [&](int count) {
      const auto found = best(query, view, count);
      return found ? found->goodput : 0.0;
    };
    const bool runs = view.holds_gpus() && view.state != JobState::stopping;
    const int held = runs ? std::max(1, view.gpus() / shape.gpus_per_node) : 1;
    const int gpus = give_nodes(handout, job, nodes(held, most, value), shape.gpus_per_node);
    if (gpus == 0) continue;
    Target target{view.id, gpus};
    if (settings_.by == By::throughput && gpus % shape.gpus_per_node == 0) {
      const auto fastest = best(query, view, gpus / shape.gpus_per_node);
      if (fastest) target.batch = fastest->batch;
    }
    plan.targets.push_back(std::move(target));
  }
  return plan;
}

}  // namespace mimus::scheduler
