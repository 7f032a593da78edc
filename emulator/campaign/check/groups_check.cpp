// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/check/groups_check.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/quantity_text.hpp"
#include "base/registry.hpp"
#include "kernels/parallel/split_plan.hpp"
#include "scheduler/batch/batching.hpp"
#include "scheduler/planner/planner.hpp"
#include "scheduler/policy/policy.hpp"

namespace mimus::emulator {
namespace {

/// Estimates that know nothing of nodes. The others count them by gpus_per_node.
constexpr std::array<std::string_view, 5> kEstimates{"none", "history", "tree", "qssf", "oracle"};
/// Placements that count on nodes of equal size.
constexpr std::array<std::string_view, 5> kByNodeSize{"strict", "relaxed", "consolidated", "skew",
                                                      "affinity"};
/// Laws that were measured on one GPU type.
constexpr std::array<std::string_view, 3> kOfOneType{"mps", "kernels", "pairs"};

template <std::size_t N>
bool is_in(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string choice_at(const Cell& cell, const std::string& path) {
  const ConfigNode* choice = find_path(cell.config, path);
  if (choice == nullptr) return "";
  const ConfigNode* name = choice->find("name");
  return name != nullptr ? name->scalar : choice->scalar;
}

class GroupsCheck {
 public:
  GroupsCheck(const Cell& cell, const CellConfig& config) : cell_(cell), config_(config) {}

  void policy() const {
    if (config_.row->planner != nullptr && !config_.row->planner->knows_types()) {
      refuse("policy.planner", "assumes that all nodes are identical",
             "choose one that distinguishes GPU types, e.g. gavel or sia, or an order with "
             "preemption");
    }
    // What such a planner believes of jobs, it believes of them on each type.
    const bool knows_speeds =
        config_.row->planner != nullptr && config_.row->planner->needs_estimate();
    if (config_.row->batch->needs_estimate() && !knows_speeds) {
      refuse("policy.batch", "assumes that a job is equally fast on all nodes",
             "choose one that does not, e.g. fixed or linear");
    }
    const std::string power = choice_at(cell_, "policy.power");
    if (!power.empty() && power != "never") {
      refuse("policy.power", "assumes that all nodes are identical", "leave it out");
    }
    const std::string estimate = choice_at(cell_, "policy.estimate");
    // A planner that knows types asks only for GPUs that it names.
    const bool names_them = config_.row->planner != nullptr &&
                            (estimate == "profile" || (estimate == "fitted" && knows_speeds));
    if (!estimate.empty() && !names_them && !is_in(kEstimates, estimate)) {
      refuse("policy.estimate", fmt::format("\"{}\" assumes identical nodes", estimate),
             fmt::format("allowed: {}", fmt::join(kEstimates, ", ")));
    }
    admission();
    placement();
  }

  void engine() const {
    const EngineConfig& engine = config_.engine;
    if (!engine.profile.empty()) {
      refuse("engine.profile", "was measured on one type of machine", "leave it out");
    }
    if (engine.replay == EngineConfig::Replay::pollux_artifact) {
      refuse("engine.replay", "follows a simulator with identical nodes", "leave it out");
    }
    const bool is_live = engine.kind == EngineConfig::Kind::live;
    const bool on_cores = is_live && !engine.on_cuda();
    if (on_cores && engine.pace == EngineConfig::Pace::none && has_types()) {
      refuse("engine.pace", "with none the cores are the devices, and all have the same speed",
             "set it to datasheet");
    }
    if (!is_live && choice_at(cell_, "engine.step_time") == "measured") {
      refuse("engine.step_time", "\"measured\" holds for one type of machine",
             "allowed: analytic, duration");
    }
    const std::string law = choice_at(cell_, "engine.interference");
    if (has_types() && config_.row->max_tenants() > 1 && is_in(kOfOneType, law)) {
      refuse("engine.interference", fmt::format("\"{}\" holds for one type of GPU", law),
             "allowed: slices, phases");
    }
  }

 private:
  [[nodiscard]] bool has_types() const { return config_.cluster.shape.types() > 1; }

  void admission() const {
    const ConfigNode* borrow = find_path(cell_.config, "policy.admission.borrow");
    if (!has_types() || borrow == nullptr || borrow->scalar != "true") return;
    refuse("policy.admission.borrow", "lends idle GPUs, of whatever type a job may use",
           "set it to false");
  }

  void placement() const {
    const std::string placement = choice_at(cell_, "policy.placement");
    if (!is_in(kByNodeSize, placement)) return;
    for (const auto& type : config_.cluster.shape.groups->types()) {
      if (type.even) continue;
      refuse("policy.placement",
             fmt::format("\"{}\" assumes nodes of equal size, but those of type {} differ",
                         placement, type.name),
             "choose e.g. pack or spread, or give the type's groups equal gpus_per_node");
    }
  }

  [[noreturn]] void refuse(const char* key, const std::string& what,
                           const std::string& instead) const {
    const ConfigNode* node = find_path(cell_.config, key);
    throw ConfigError(node != nullptr ? node->where : cell_.config.where, key,
                      fmt::format("{}; beside cluster.groups {}", what, instead));
  }

  const Cell& cell_;
  const CellConfig& config_;
};

std::vector<std::string> type_names(const scheduler::ClusterShape& shape) {
  std::vector<std::string> names;
  for (int type = 0; type < shape.types(); ++type) names.push_back(shape.type_name(type));
  return names;
}

std::string unknown_type(const std::vector<std::string>& known, const workloads::Job& job) {
  for (const std::string& name : job.gpu_types) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    if (!job.rates.empty()) continue;  // measured elsewhere as well
    return "gpu_types: " + unknown_name_message("GPU type of the cluster", name, known);
  }
  return "";
}

}  // namespace

void check_groups(const Cell& cell, const CellConfig& config) {
  if (!config.cluster.shape.groups) return;
  const GroupsCheck check(cell, config);
  check.policy();
  check.engine();
}

std::string fits_no_type(const scheduler::ClusterShape& shape, const workloads::Job& job,
                         const workloads::Model* model) {
  const std::vector<std::string> known = type_names(shape);
  if (std::string unknown = unknown_type(known, job); !unknown.empty()) return unknown;
  if (shape.types() == 1 && job.rates.empty()) return "";
  Bytes least{};
  if (model != nullptr) {
    const kernels::MemoryNeed need = kernels::memory_need(*model);
    least = need.base + static_cast<double>(model->batch.per_gpu_min) * need.per_sample;
  }
  std::vector<std::string> offers;
  for (int type = 0; type < shape.types(); ++type) {
    const auto& of = job.gpu_types;
    const std::string& name = shape.type_name(type);
    if (!of.empty() && std::find(of.begin(), of.end(), name) == of.end()) continue;
    if (shape.gpus_of_type(type) >= job.gang && least <= shape.memory_of_type(type)) return "";
    offers.push_back(fmt::format("{} {} with {} each", shape.gpus_of_type(type), name,
                                 format_bytes(shape.memory_of_type(type))));
  }
  if (offers.empty()) {
    return fmt::format("may use GPUs of type {} only, but the cluster has {}",
                       fmt::join(job.gpu_types, ", "), fmt::join(known, ", "));
  }
  return fmt::format(
      "asks for {} GPUs of one type{}, but of the types that it may use the cluster "
      "has {}",
      job.gang, least > Bytes{} ? fmt::format(" with {} each", format_bytes(least)) : "",
      fmt::join(offers, " and "));
}

}  // namespace mimus::emulator
