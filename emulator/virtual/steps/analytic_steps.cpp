// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/virtual/steps/analytic_steps.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/fields.hpp"
#include "emulator/modelled_throughput.hpp"
#include "emulator/transition_costs.hpp"
#include "kernels/footprint/collective_time.hpp"
#include "kernels/parallel/split_plan.hpp"

namespace mimus::emulator {
namespace {

/// Whether the gang crosses nodes and thus uses their uplinks.
bool is_remote(scheduler::Locality locality) {
  return locality >= scheduler::Locality::same_rack;
}

}  // namespace

AnalyticSteps::AnalyticSteps(const StepTimeInputs& inputs, Settings settings)
    : cluster_(inputs.cluster), models_(inputs.models), settings_(settings) {}

std::size_t AnalyticSteps::KeyHash::operator()(const Key& key) const noexcept {
  std::size_t hash = std::hash<const void*>{}(key.model);
  for (const std::int64_t part :
       {key.per_gpu, std::int64_t{key.accumulation}, std::int64_t{key.replicas},
        std::int64_t{key.on_fullest_node}, static_cast<std::int64_t>(key.locality),
        static_cast<std::int64_t>(key.types)}) {
    hash ^= static_cast<std::size_t>(part) + 0x9e3779b97f4a7c15U + (hash << 6U) + (hash >> 2U);
  }
  return hash ^ std::hash<std::string>{}(key.arrangement);
}

void AnalyticSteps::check(const workloads::Job& job) const {
  if (job.model.empty()) {
    throw UsageError(
        fmt::format("job {} ({}) has no model, which step_time: analytic needs; give the workload "
                    "models, or use step_time: duration",
                    job.id.value(), job.name));
  }
  if (models_ != nullptr) (void)models_->at(job.model);
}

AnalyticSteps::Key AnalyticSteps::key_of(const Attempt& attempt) const {
  ensure(attempt.model != nullptr, "analytic step times need a model");
  const auto& slots = attempt.allocation.slots;
  const bool split = attempt.model->split.gpus() > 1;
  const auto locality = cluster_.shape.locality(slots);
  return {attempt.model,
          attempt.batch.per_gpu,
          attempt.batch.accumulation,
          static_cast<int>(slots.size()),
          most_on_a_node(cluster_.shape, slots),
          locality,
          is_remote(locality) && nodes_of(cluster_.shape, slots) == 2,
          cluster_.machines.empty() ? 1 : types_of(cluster_.shape, slots),
          split ? arrangement_of(cluster_, slots, attempt.model->split) : ""};
}

void AnalyticSteps::choose_layout(Solo& solo, int on_fullest_node) const {
  const bool split = solo.plans.front().split != nullptr;
  if (settings_.collective == CollectiveLayout::ring || split) return;
  kernels::GangLinks through_tree = solo.links;
  kernels::GangLink& link = through_tree.front().data;
  link = tree_link(link, solo.shape.replicas);
  const auto tree = kernels::gang_step_time(solo.plans, through_tree, {.gpus = on_fullest_node});
  if (settings_.collective == CollectiveLayout::best && solo.time.total <= tree.total) return;
  solo.links = through_tree;
  solo.time = tree;
}

AnalyticSteps::Solo& AnalyticSteps::solo_of(const Key& key, const Attempt& attempt) const {
  const auto [entry, is_new] = known_.try_emplace(key);
  Solo& solo = entry->second;
  if (!is_new) return solo;
  solo.shape = {key.per_gpu, key.accumulation, key.replicas};
  solo.links = gang_links(cluster_, attempt.allocation.slots, key.model->split);
  GangStep slowest =
      slowest_step(cluster_, *key.model, solo.shape, key.types, solo.links, key.on_fullest_node);
  solo.plans = std::move(slowest.plans);
  solo.time = slowest.time;
  choose_layout(solo, key.on_fullest_node);
  solo.transfers = solo.plans.front().split != nullptr
                       ? kernels::crossing_time(solo.plans, solo.links)
                       : transfer_time(solo.plans.front(), solo.links.front().data);
  return solo;
}

kernels::StepTime AnalyticSteps::crowded_step(Solo& solo, const kernels::NodeUse& node,
                                              double share) {
  const auto replay = [&] {
    return kernels::gang_step_time(solo.plans, narrowed(solo, share, 1.0), node);
  };
  const bool recurs =
      node.core_load <= 1.0 && node.device_stretch == std::floor(node.device_stretch);
  if (!recurs) return replay();
  const auto [known, is_new] = solo.crowded.try_emplace({node.gpus, share, node.device_stretch});
  if (is_new) known->second = replay();
  return known->second;
}

/// With a share of the bandwidth of the links that it shares, where computation takes `slowed`
/// times as long: beside unchanged transfers, that is as many times a step with quicker transfers.
kernels::GangLinks AnalyticSteps::narrowed(const Solo& solo, double share, double slowed) {
  const bool split = solo.plans.front().split != nullptr;
  kernels::GangLinks links = solo.links;
  for (kernels::StageLinks& stage : links) {
    for (kernels::GangLink* link : {&stage.data, &stage.tensor, &stage.pipeline}) {
      const bool shared = link->crosses_nodes || !split;
      link->bandwidth = (shared ? share * slowed : slowed) * link->bandwidth;
      link->latency = scale(link->latency, 1.0 / slowed);
    }
  }
  return links;
}

StepCost AnalyticSteps::step(const Attempt& attempt, const Surroundings& surroundings) const {
  const Key key = key_of(attempt);
  Solo& solo = solo_of(key, attempt);
  const double slowed = surroundings.interference;
  const kernels::NodeUse node{.gpus = std::max(key.on_fullest_node, surroundings.gpus_in_use),
                              .core_load = surroundings.core_load,
                              .device_stretch = surroundings.device_stretch};
  const bool crowded =
      node.gpus > key.on_fullest_node || node.core_load > 1.0 || node.device_stretch > 1.0;
  return at_mean_pace(surroundings.link_shares, [&](double share) -> StepCost {
    if (slowed <= 1.0 || key.replicas == 1) {
      const auto time = crowded || share < 1.0 ? crowded_step(solo, node, share) : solo.time;
      return {scale(time.total, slowed), time.exposed_communication, time.device};
    }
    const auto time = kernels::gang_step_time(solo.plans, narrowed(solo, share, slowed), node);
    return {scale(time.total, slowed), scale(time.exposed_communication, slowed), time.device};
  });
}

Duration AnalyticSteps::transfers(const Attempt& attempt) const {
  return solo_of(key_of(attempt), attempt).transfers;
}

Choice<StepTimeModel> analytic_choice(const StepTimeInputs& inputs) {
  using S = AnalyticSteps::Settings;
  return choice<StepTimeModel, AnalyticSteps>(
      "analytic", "the footprint model: roofline, bucket schedule, links",
      {field("collective", &S::collective,
             {{"ring", CollectiveLayout::ring},
              {"tree", CollectiveLayout::tree},
              {"best", CollectiveLayout::best}},
             "how gradients are reduced; best: whichever makes the shorter step"),
       field("shares_hosts", &S::shares_hosts,
             "input pipelines of one node slow each other, as in the model")},
      [inputs](S settings) { return std::make_unique<AnalyticSteps>(inputs, settings); });
}

}  // namespace mimus::emulator
