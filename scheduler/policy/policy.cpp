// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/policy/policy.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/yaml_reader.hpp"
#include "scheduler/policy/policy_checks.hpp"
#include "scheduler/policy/policy_rows.hpp"
#include "scheduler/policy/presets.hpp"
#include "scheduler/policy/row_reader.hpp"

namespace mimus::scheduler {
namespace {

/// Refuses a choice that the planner makes itself, because results would name a choice that had no
/// effect.
void refuse_beside_planner(RowReader& row, const char* seam, const char* why) {
  YamlReader& yaml = row.yaml();
  if (!yaml.has(seam) || yaml.node(seam).kind == ConfigNode::Kind::null) return;
  const ConfigNode& given = yaml.node(seam);
  const ConfigNode* name = given.find("name");
  yaml.fail(seam, fmt::format("\"{}\" has no effect with planner \"{}\", which {}; leave policy.{} "
                              "out, or set planner: {}",
                              shown(name == nullptr ? given : *name), row.label("planner"), why,
                              seam, kDefaultPlanner));
}

/// Refuses `sizing`, which campaigns of earlier versions used.
void refuse_former_seam(const YamlReader& yaml) {
  if (yaml.mapping().find("sizing") == nullptr) return;
  yaml.fail("sizing",
            "is now two seams: write batch: fixed, linear or goodput; in place of by_rank "
            "planner: {name: ranked, order: ...}, and in place of marginal_gain planner: greedy");
}

struct Row {
  Policy policy;
  std::string content;  ///< equal for equal rows, however they were written
};

/// The order of jobs is chosen by the row or by its planner.
void read_order(Policy& policy, RowReader& row) {
  if (policy.planner == nullptr) {
    policy.order = row.read(order_choices(), "order", kDefaultOrder);
    return;
  }
  refuse_beside_planner(row, "order", "chooses the next job itself");
  policy.order = policy.planner->order();
  if (policy.order == nullptr) policy.order = order_choices().make_default(kDefaultOrder);
}

void read_preemption(Policy& policy, RowReader& row) {
  if (policy.planner == nullptr) {
    policy.preemption = row.read(preemption_choices(), "preemption", kDefaultPreemption);
    return;
  }
  refuse_beside_planner(row, "preemption", "stops jobs itself");
  policy.preemption = preemption_choices().make_default(kDefaultPreemption);
}

void read_placement(Policy& policy, RowReader& row, const PolicyInputs& inputs) {
  const auto choices = placement_choices(inputs);
  if (policy.planner == nullptr || !policy.planner->names_gpus()) {
    policy.placement = row.read(choices, "placement", kDefaultPlacement);
    return;
  }
  refuse_beside_planner(row, "placement", "chooses the GPUs of jobs itself");
  policy.placement = policy.planner->placement();
  if (policy.placement == nullptr) policy.placement = choices.make_default(kDefaultPlacement);
}

void read_batch(Policy& policy, RowReader& row) {
  if (policy.planner != nullptr && policy.planner->keeps_batches()) {
    refuse_beside_planner(row, "batch", "gives jobs the batches that their users ask for");
    policy.batch = batch_choices().make_default(kDefaultBatch);
    return;
  }
  policy.batch = row.read(batch_choices(), "batch", kDefaultBatch);
}

Row read_row(const ConfigNode& node, const std::string& path, const PolicyInputs& inputs) {
  RowReader row(node, path);
  Policy policy;
  (void)row.yaml().has("preset");
  refuse_former_seam(row.yaml());
  policy.planner = row.read(planner_choices(inputs), "planner", kDefaultPlanner);
  read_order(policy, row);
  read_placement(policy, row, inputs);
  policy.sharing = row.read(sharing_choices(), "sharing", kDefaultSharing);
  read_batch(policy, row);
  policy.estimate = row.read(estimate_choices(inputs), "estimate", default_estimate(policy));
  read_preemption(policy, row);
  policy.admission = row.read(admission_choices(), "admission", kDefaultAdmission);
  policy.recovery = row.read(recovery_choices(), "recovery", kDefaultRecovery);
  policy.power = row.read(power_choices(), "power", kDefaultPower);
  policy.cache = row.read(cache_choices(inputs), "cache", kDefaultCache);
  row.yaml().finish();
  check_choices(policy, row, inputs);
  policy.label = row.label();
  return {std::move(policy), row.content()};
}

/// A run may carry a preset's name only while its row equals the preset's row.
std::string label_with(const std::string& name, const Row& row, const PolicyInputs& inputs) {
  if (read_row(preset(name), "policy", inputs).content == row.content) return name;
  return fmt::format("{}-like ({})", name, row.policy.label);
}

}  // namespace

Policy::Policy() = default;
Policy::Policy(Policy&&) noexcept = default;
Policy& Policy::operator=(Policy&&) noexcept = default;
Policy::~Policy() = default;

int Policy::max_tenants() const {
  return std::max(sharing->max_tenants(), planner == nullptr ? 1 : planner->residents());
}

bool Policy::asks_utilisation() const {
  return order->asks_utilisation() || placement->kind_traits().utilisation ||
         sharing->kind_traits().utilisation;
}

bool Policy::asks_estimate() const {
  return asks_utilisation() || order->asks_run_time() || batch->needs_estimate() ||
         (planner != nullptr && planner->asks_estimate());
}

bool Policy::estimate_learns() const {
  return asks_estimate() && estimate->wants_samples();
}

Duration Policy::sample_interval() const {
  Duration interval = batch->sample_interval();
  if (planner != nullptr) interval = std::min(interval, planner->sample_interval());
  return estimate_learns() ? std::min(interval, estimate->sample_interval()) : interval;
}

Duration Policy::report_interval() const {
  return std::min(sample_interval(), batch->retune_interval());
}

std::string Policy::asks_oracle() const {
  const bool plans = planner != nullptr && planner->asks_oracle();
  if (estimate->asks_oracle()) return plans ? "estimate, planner" : "estimate";
  return plans ? "planner" : "none";
}

bool Policy::places_hosts() const {
  return placement->places_hosts() && planner == nullptr;
}

bool Policy::divides_gpus() const {
  return sharing->divides() && planner == nullptr;
}

bool Policy::keeps_gangs() const {
  return planner == nullptr || planner->keeps_gangs();
}

bool Policy::counts_replicas() const {
  return keeps_gangs() || planner->counts_replicas();
}

bool Policy::spares_rigid() const {
  return planner == nullptr || planner->spares_rigid();
}

bool Policy::keeps_to_ranges() const {
  return planner == nullptr || planner->keeps_to_ranges();
}

bool Policy::planner_moves() const {
  return planner != nullptr && planner->moves();
}

bool Policy::resizes_in_place() const {
  return planner != nullptr && planner->resizes_in_place();
}

MilliGpus Policy::share_of(const JobView& job) const {
  return divides_gpus() ? MilliGpus::of_share(job.gpu_share) : kWholeGpu;
}

Policy read_policy(const ConfigNode& node, const std::string& path, const PolicyInputs& inputs) {
  if (node.kind == ConfigNode::Kind::null) {
    return read_row(ConfigNode::mapping(node.where), path, inputs).policy;
  }
  const ConfigNode merged = merge_preset(node);
  Row row = read_row(merged, path, inputs);
  const ConfigNode* name = merged.find("preset");
  if (name != nullptr && name->kind == ConfigNode::Kind::scalar) {
    row.policy.label = label_with(name->scalar, row, inputs);
  }
  return std::move(row.policy);
}

}  // namespace mimus::scheduler
