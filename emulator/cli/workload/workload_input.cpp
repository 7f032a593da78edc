// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/cli/workload/workload_input.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "emulator/campaign/campaign_document.hpp"
#include "emulator/campaign/campaign_machines.hpp"
#include "emulator/campaign/campaign_models.hpp"
#include "emulator/campaign/cell_id.hpp"
#include "emulator/campaign/check/cell_run_times.hpp"
#include "emulator/cli/workload/workload_cell.hpp"
#include "emulator/cli/workload/workload_format.hpp"
#include "workloads/workload_sources.hpp"

namespace mimus::emulator::cli {
namespace {

/// More GPUs than any gang asks for, so nothing is refused.
constexpr int kUnbounded = 1'000'000;

bool is_campaign(const std::string& path) {
  return path.ends_with(".yaml") || path.ends_with(".yml");
}

using MakeRunTimes = std::function<workloads::RunTimes(const workloads::ModelCatalogue&)>;

/// Without a cluster: run times of the machine type that --gpu or duration_on names, or else by
/// published rates.
MakeRunTimes run_times_for(const ConfigNode& workload, const WorkloadArguments& arguments) {
  const ConfigNode* elsewhere = workload.find("duration_on");
  if (arguments.gpu.empty() && elsewhere == nullptr) {
    return [](const workloads::ModelCatalogue&) { return workloads::RunTimes{}; };
  }
  const bool given = !arguments.gpu.empty();
  const ClusterConfig cluster =
      usual_cluster(given ? machine_named(arguments.gpu, "--gpu") : *elsewhere,
                    given ? "" : "duration_on", arguments.gpus.value_or(kUnbounded));
  return [workload, cluster](const workloads::ModelCatalogue& models) {
    return run_times_on(cluster, workload, models);
  };
}

/// The run times of the cell's jobs.
MakeRunTimes run_times_for(const Cell& cell) {
  return [cell](const workloads::ModelCatalogue& models) {
    return run_times_of(cell, read_cell(cell, models), models);
  };
}

WorkloadInput from_campaign(const WorkloadArguments& arguments) {
  if (!arguments.gpu.empty()) {
    throw UsageError("--gpu is for workloads without a campaign; --set cluster.gpu=" +
                     arguments.gpu + " changes that of this one");
  }
  CampaignArguments campaign;
  campaign.settings = arguments.settings;
  UnreadCell unread = unread_cell(arguments.input, campaign.overrides(), arguments.cell);
  for (const std::string& path : arguments.models) {
    (void)emulator::add_models(model_files_at(path), unread.models);
  }
  CellConfig config = read_cell(unread.cell, unread.models);
  WorkloadInput input;
  input.description = fmt::format("campaign {}, cell {}", arguments.input, unread.cell.id);
  input.source = std::move(config.workload);
  input.cluster_gpus = config.cluster.shape.gpus();
  input.gpus = arguments.gpus.value_or(input.cluster_gpus);
  input.seed = arguments.seed ? seed_of_repetition(static_cast<std::uint64_t>(*arguments.seed),
                                                   unread.cell.repetition)
                              : unread.cell.seed;
  input.models = std::move(unread.models);
  input.make_run_times = run_times_for(unread.cell);
  return input;
}

/// Builds a `workload:` mapping from a source and its settings.
ConfigNode workload_node(const std::string& source, const WorkloadArguments& arguments) {
  ConfigNode node = ConfigNode::mapping({"--set", 0, 0});
  node.members.emplace_back("source", ConfigNode::text(source, {"--source", 0, 0}));
  if (!arguments.input.empty()) {
    ConfigNode path = ConfigNode::text(arguments.input);
    path.quoted = true;
    node.members.emplace_back("path", std::move(path));
  }
  CampaignArguments settings;
  settings.settings = arguments.settings;
  for (const Override& setting : settings.overrides()) {
    set_path(node, setting.path, value_of(setting));
  }
  return node;
}

/// A gang larger than `--gpus` matters only if the source is told how to treat it.
int cluster_gpus(const ConfigNode& node, const WorkloadArguments& arguments, bool is_trace) {
  const bool matters = !is_trace || node.find("oversized") != nullptr;
  if (node.find("load") != nullptr && !arguments.gpus) {
    throw UsageError("a load is relative to the cluster: give its number of GPUs with --gpus N");
  }
  return matters ? arguments.gpus.value_or(kUnbounded) : kUnbounded;
}

WorkloadInput from_source(const std::string& source, const WorkloadArguments& arguments,
                          std::string description) {
  const ConfigNode node = workload_node(source, arguments);
  WorkloadInput input;
  input.description = std::move(description);
  input.models = catalogue_with(arguments.models);
  input.source = workloads::make_workload_source(node, "");
  input.seed = arguments.seed ? seed_of_repetition(static_cast<std::uint64_t>(*arguments.seed), 0)
                              : cell_seed(0, node, 0);
  input.cluster_gpus = cluster_gpus(node, arguments, !arguments.input.empty());
  input.gpus = arguments.gpus;
  input.make_run_times = run_times_for(node, arguments);
  return input;
}

WorkloadInput from_trace(const WorkloadArguments& arguments) {
  const bool guessed = arguments.format.empty();
  const std::string format = guessed ? guessed_format(arguments.input) : arguments.format;
  return from_source(format, arguments,
                     fmt::format("{} trace {}{}", format, arguments.input,
                                 guessed ? " (format detected from its header)" : ""));
}

}  // namespace

void add_source_options(CLI::App& verb, WorkloadArguments& arguments) {
  verb.add_option("--set", arguments.settings,
                  "set one key of the source, or of the campaign by its path; repeatable")
      ->option_text("KEY=VALUE")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false)
      ->group("Workload");
  verb.add_option("--gpus", arguments.gpus, "GPUs of the cluster; the campaign's if not given")
      ->option_text("N")
      ->check(CLI::Range(1, kUnbounded))
      ->group("Workload");
  verb.add_option("--gpu", arguments.gpu,
                  "machine type that trains the models, in usual nodes: a built-in one, or your "
                  "own as FILE or FILE:TYPE; without it run times of models follow from the "
                  "published rate of one GPU, times the gang")
      ->option_text("TYPE")
      ->group("Workload");
  verb.add_option("--seed", arguments.seed,
                  "seed as in a campaign; that of the campaign or 0 if not given")
      ->option_text("N")
      ->check(CLI::NonNegativeNumber)
      ->group("Workload");
  add_models_option(verb, arguments.models);
}

void add_workload_options(CLI::App& verb, WorkloadArguments& arguments) {
  verb.add_option("INPUT", arguments.input,
                  "campaign (.yaml), whose workload of one cell is used, or a trace");
  verb.add_option("--format", arguments.format,
                  "format of the trace; detected from its header if not given")
      ->option_text("NAME")
      ->group("Workload");
  verb.add_option("--source", arguments.source, "generator or other source instead of INPUT")
      ->option_text("NAME")
      ->group("Workload");
  verb.add_option("--cell", arguments.cell,
                  "cell of the campaign by id or number; the first if not given")
      ->option_text("CELL")
      ->group("Workload");
  add_source_options(verb, arguments);
}

WorkloadInput find_workload(const WorkloadArguments& arguments) {
  if (arguments.input.empty() == arguments.source.empty()) {
    throw UsageError("give one of INPUT (a campaign or a trace) and --source NAME");
  }
  if (!arguments.source.empty()) {
    return from_source(arguments.source, arguments, "source " + arguments.source);
  }
  if (!is_campaign(arguments.input)) {
    if (!arguments.cell.empty()) throw UsageError("--cell needs a campaign as INPUT");
    return from_trace(arguments);
  }
  if (!arguments.format.empty()) {
    throw UsageError("--format is for traces; the workload of a campaign names its source");
  }
  return from_campaign(arguments);
}

}  // namespace mimus::emulator::cli
