// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/slurm/slurm_plan.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"
#include "emulator/slurm/slurm_components.hpp"
#include "emulator/slurm/slurm_directives.hpp"

namespace mimus::emulator {
namespace {

/// Settings of this submission, so that every job has the same cells.
void add_settings(Words& out, const SubmitOptions& options) {
  for (const std::string& setting : options.settings) {
    out.insert(out.end(), {"--set", setting});
  }
}

/// A path that cannot be taken for an option, even if it begins with "-".
std::string path_word(const std::string& path) {
  return path.starts_with('-') ? "./" + path : path;
}

/// Slurm ends a step when one of its ranks dies unless the campaign asks to go on.
bool goes_on_without_workers(const Campaign& campaign) {
  return std::ranges::any_of(campaign.cells, [](const Cell& cell) {
    return cell.settings->engine.on_lost_rank == EngineConfig::OnLostRank::go_on;
  });
}

SlurmJob run_job(const Campaign& campaign, const SubmitOptions& options, const SlurmPlan& plan) {
  SlurmJob job;
  job.script = options.array ? "array.sbatch" : "campaign.sbatch";
  job.directives = run_directives(campaign, plan.folder, options.array);
  job.environment = {{"MIMUS", options.program},
                     {"MIMUS_SLURM", plan.folder},
                     {"MIMUS_RANKS", std::to_string(host_layout(campaign).ranks)}};
  const auto by_host = host_layout(campaign).by_host;
  if (!by_host.empty() && !is_heterogeneous(campaign.resources)) {
    job.environment.emplace_back("MIMUS_HOST_RANKS", fmt::format("{}", fmt::join(by_host, " ")));
  }
  // Slurm's PMIx needs the hosts of components in the order of their names, see slurm/env.sh.
  const bool needs_mpirun = !campaign.resources.gpu_types.empty();
  const std::string launcher =
      campaign.resources.launcher.empty() && needs_mpirun ? "mpirun" : campaign.resources.launcher;
  if (!launcher.empty()) job.environment.emplace_back("MIMUS_LAUNCHER", launcher);
  if (goes_on_without_workers(campaign)) {
    job.environment.emplace_back("MIMUS_ON_LOST_RANK", "continue");
  }
  if (options.array) {
    job.environment.emplace_back("MIMUS_ARRAY_TASKS", std::to_string(array_tasks(campaign)));
  }
  job.arguments = {path_word(options.campaign_path), "-o", path_word(options.output_dir)};
  add_settings(job.arguments, options);
  if (!campaign.any_live()) {
    job.arguments.insert(job.arguments.end(),
                         {"--jobs", std::to_string(campaign.resources.cpus_per_task)});
  }
  return job;
}

SlurmJob aggregate_job(const Campaign& campaign, const SubmitOptions& options,
                       const SlurmPlan& plan) {
  SlurmJob job;
  job.script = "aggregate.sbatch";
  job.directives = aggregate_directives(campaign, plan.folder);
  job.environment = {{"MIMUS", options.program}, {"MIMUS_SLURM", plan.folder}};
  job.arguments = {path_word(options.output_dir), path_word(options.campaign_path)};
  add_settings(job.arguments, options);
  return job;
}

// A line break ends a comment or directive, and bash would run the rest.
void refuse_control_characters(std::string_view what, const std::string& text) {
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7f) continue;
    throw UsageError(
        fmt::format("{}: {:?} has the control character 0x{:02x}, which a batch script must not "
                    "contain; choose a text of one line without tabs",
                    what, text, byte));
  }
}

void check_texts(const SlurmPlan& plan, const SubmitOptions& options) {
  refuse_control_characters("campaign file", options.campaign_path);
  refuse_control_characters("result folder", plan.folder);
  refuse_control_characters("program", options.program);
  for (const std::string& setting : options.settings) refuse_control_characters("--set", setting);
  if (plan.folder.find('\\') != std::string::npos) {
    throw UsageError(
        fmt::format("result folder: \"{}\" has a backslash, with which Slurm cannot name its logs; "
                    "choose another one with -o",
                    plan.folder));
  }
  for (const SlurmJob& job : plan.jobs) {
    for (const std::string& directive : job.directives) {
      refuse_control_characters("resources", directive);
    }
    for (const auto& [name, value] : job.environment) refuse_control_characters(name, value);
  }
}

void check_combination(const Campaign& campaign, const SubmitOptions& options) {
  const Resources& given = campaign.resources;
  if (!is_heterogeneous(given)) return;
  const char* key = given.scheduler ? "resources.scheduler" : "resources.gpu_types";
  if (options.array) {
    throw UsageError(fmt::format(
        "--array: Slurm has no arrays of heterogeneous jobs; leave --array or {} out", key));
  }
  if (goes_on_without_workers(campaign)) {
    throw UsageError(
        fmt::format("engine.on_lost_rank: continue was not tried in heterogeneous jobs; leave it "
                    "or {} out",
                    key));
  }
  if (given.gpu_types.empty() && campaign.any_live() && !host_layout(campaign).by_host.empty()) {
    throw UsageError(
        "resources.scheduler: the hosts of a component have equally many ranks, but the nodes of "
        "cluster.groups differ; leave it out, or give each GPU type hosts of its own "
        "(resources.gpu_types)");
  }
  if (given.scheduler && !campaign.any_live()) {
    throw UsageError("resources.scheduler: virtual cells have no ranks to separate; leave it out");
  }
}

}  // namespace

SlurmPlan plan_submission(const Campaign& campaign, const SubmitOptions& options) {
  check_combination(campaign, options);
  SlurmPlan plan;
  plan.folder = std::filesystem::absolute(options.output_dir + "/slurm").lexically_normal();
  plan.headline =
      fmt::format("{}: {} cells, {}", options.campaign_path, campaign.cells.size(),
                  campaign.any_live() ? fmt::format("world of {} ranks", campaign.world_size())
                                      : "all virtual");
  plan.jobs.push_back(run_job(campaign, options, plan));
  if (options.aggregate) plan.jobs.push_back(aggregate_job(campaign, options, plan));
  check_texts(plan, options);
  return plan;
}

}  // namespace mimus::emulator
