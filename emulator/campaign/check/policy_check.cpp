// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/check/policy_check.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emulator/campaign/check/cell_check.hpp"
#include "emulator/campaign/slice.hpp"
#include "scheduler/batch/batching.hpp"
#include "scheduler/order/order.hpp"
#include "scheduler/planner/planner.hpp"
#include "workloads/models/model_split.hpp"

namespace mimus::emulator {
namespace {

/// The place at which the cell states the choice of a seam, or else its policy.
SourceLocation place_of(const Cell& cell, const char* seam) {
  const ConfigNode* node = find_path(cell.config, seam);
  if (node == nullptr) node = find_path(cell.config, "policy");
  return node != nullptr ? node->where : cell.config.where;
}

void add_share_note(const scheduler::Policy& policy, const JobTraits& traits,
                    std::vector<std::string>& notes) {
  if (!traits.asks_for_shares || policy.divides_gpus()) return;
  notes.emplace_back(
      "some jobs request a share of a GPU (gpu_share), but the policy does not divide GPUs, so "
      "each of them takes the whole place of a tenant; set policy.sharing: fraction, which works "
      "without a planner");
}

void add_estimate_note(const Cell& cell, const scheduler::Policy& policy,
                       std::vector<std::string>& notes) {
  if (policy.asks_estimate() || policy.estimate->name() == "none") return;
  notes.push_back(
      fmt::format("{}: policy.estimate has no effect: no other choice of \"{}\" uses estimates",
                  place_of(cell, "policy.estimate").str(), policy.label));
}

void add_order_note(const Cell& cell, const scheduler::Policy& policy, const JobTraits& traits,
                    std::vector<std::string>& notes) {
  if (!policy.order->asks_run_time() || policy.estimate->finds_run_times()) return;
  if (traits.states_estimates) return;
  notes.push_back(
      fmt::format("{}: policy.order of \"{}\" orders by arrival only: it uses run times, but no "
                  "job states one; set policy.estimate: oracle or history, or let the workload "
                  "state them (for a trace: workload.estimate)",
                  place_of(cell, "policy.order").str(), policy.label));
}

void add_batch_note(const Cell& cell, const scheduler::Policy& policy, const JobTraits& traits,
                    std::vector<std::string>& notes) {
  using Rule = scheduler::LearningRate::Rule;
  const bool says_nothing =
      !policy.batch->chooses_batch() && policy.batch->learning_rate().rule == Rule::adascale;
  if (!traits.run_times || says_nothing) return;
  notes.push_back(
      fmt::format("{}: policy.batch of \"{}\" has no effect: engine.step_time: duration uses the "
                  "recorded run times, whatever the batch",
                  place_of(cell, "policy.batch").str(), policy.label));
}

void add_batch_plan_note(const scheduler::Policy& policy, const JobTraits& traits,
                         std::vector<std::string>& notes) {
  if (!traits.plans_batches || policy.batch->follows_plans()) return;
  notes.emplace_back(
      "some jobs have a batch_plan, which policy.batch does not follow; set policy.batch: planned");
}

/// A misspelt virtual cluster would leave the intended one without a quota.
void add_quota_note(const Cell& cell, const JobTraits& traits, std::vector<std::string>& notes) {
  const ConfigNode* quotas = find_path(cell.config, "policy.admission.gpus");
  if (quotas == nullptr || !traits.of_all_jobs) return;
  std::vector<std::string> idle;
  for (const auto& [name, quota] : quotas->members) {
    if (!traits.virtual_clusters.contains(name)) idle.push_back(name);
  }
  if (idle.empty()) return;
  constexpr std::size_t kMostShown = 20;
  const auto begin = traits.virtual_clusters.begin();
  const auto end = std::next(
      begin, static_cast<std::ptrdiff_t>(std::min(kMostShown, traits.virtual_clusters.size())));
  notes.push_back(fmt::format(
      "{}: policy.admission.gpus: no job belongs to virtual cluster {}; jobs belong to {}{}",
      quotas->where.str(), fmt::join(idle, ", "), fmt::join(begin, end, ", "),
      traits.virtual_clusters.size() > kMostShown ? ", ..." : ""));
}

/// Why the job cannot train with the batch that it requests, or "".
std::string batch_off_limits(const workloads::Job& job, const workloads::Model& model) {
  const std::int64_t least = model.batch.per_gpu_min * job.gang;
  const std::int64_t most = std::max(model.batch.total_max, least);
  if (job.total_batch >= least && job.total_batch <= most) return "";
  return fmt::format("job \"{}\" asks for {} samples, but {} takes {} to {} on {} GPU{}", job.name,
                     job.total_batch, job.model, least, most, job.gang, job.gang == 1 ? "" : "s");
}

void add_limits_note(const CellConfig& config, const JobTraits& traits,
                     std::vector<std::string>& notes) {
  // A replay has its own limits.
  if (traits.off_limits.empty() || config.engine.replay != EngineConfig::Replay::none) return;
  notes.push_back(
      fmt::format("some jobs request a batch outside the limits of their model and train with one "
                  "inside; the first: {}",
                  traits.off_limits));
}

/// Under a planner that counts GPUs one by one, gangs of split models would break.
void add_replica_note(const Cell& cell, const scheduler::Policy& policy, const JobTraits& traits,
                      std::vector<std::string>& notes) {
  if (policy.counts_replicas()) return;
  std::vector<std::string> kept;
  for (const std::string& model : traits.models) {
    const auto name = workloads::parse_split_name(model);
    if (name && name->split.gpus() > 1) kept.push_back(model);
  }
  if (kept.empty()) return;
  notes.push_back(fmt::format(
      "{}: gangs of {} keep the size that their users ask for: the planner of \"{}\" counts GPUs, "
      "not replicas; greedy, sia and slaq count replicas",
      place_of(cell, "policy.planner").str(), fmt::join(kept, ", "), policy.label));
}

}  // namespace

void JobTraits::add(const workloads::Job& job, const workloads::Model* model) {
  largest_gang = std::max(largest_gang, job.gang);
  if (!job.data_set.empty()) data_sets.emplace(job.data_set, job.data_size);
  if (model != nullptr) models.insert(job.model);
  asks_for_shares = asks_for_shares || job.gpu_share < 1.0;
  plans_batches = plans_batches || !job.batch_plan.empty();
  virtual_clusters.insert(job.virtual_cluster);
  states_estimates = states_estimates || job.user_estimate > Duration{};
  if (model != nullptr && off_limits.empty()) off_limits = batch_off_limits(job, *model);
}

void load_planner(const CellConfig& config) {
  if (config.row->planner == nullptr) return;
  const bool live = config.engine.kind == EngineConfig::Kind::live;
  if (!live || launched_rank().index == 0) config.row->planner->load();
}

void check_gangs(const Cell& cell, const CellConfig& config, const JobTraits& traits) {
  if (!traits.run_times) return;
  const scheduler::Policy& policy = *config.row;
  if (policy.keeps_gangs()) return;
  throw ConfigError(
      place_of(cell, "policy.planner"), "policy.planner",
      fmt::format(
          "\"{}\" gives jobs other gangs than they request, but engine.step_time: duration knows "
          "their run times only for the requested gangs; set a planner that does not resize gangs "
          "or none, or engine.step_time: analytic or measured with jobs that have models",
          policy.label));
}

void add_policy_notes(const Cell& cell, const CellConfig& config, const JobTraits& traits,
                      std::vector<std::string>& notes) {
  const scheduler::Policy& policy = *config.row;
  add_share_note(policy, traits, notes);
  add_estimate_note(cell, policy, notes);
  add_order_note(cell, policy, traits, notes);
  add_batch_note(cell, policy, traits, notes);
  add_batch_plan_note(policy, traits, notes);
  add_quota_note(cell, traits, notes);
  add_limits_note(config, traits, notes);
  add_replica_note(cell, policy, traits, notes);
}

}  // namespace mimus::emulator
