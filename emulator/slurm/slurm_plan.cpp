// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/slurm/slurm_plan.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"
#include "base/quantity_text.hpp"

namespace mimus::emulator {
namespace {

/// Sites rarely allow longer arrays. The default of MaxArraySize is 1001.
constexpr std::size_t kMostArrayTasks = 1000;
constexpr const char* kAggregateTime = "00:30:00";

using Words = std::vector<std::string>;

/// Quoted for sbatch directives, where quotes, backslashes and # (comment) have a meaning.
std::string quoted(const std::string& value) {
  std::string out = "\"";
  for (const char c : value) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

void add_text(Words& out, const char* option, const std::string& value) {
  if (value.empty()) return;
  const bool plain = value.find_first_of(" \"'\\#") == std::string::npos;
  out.push_back(fmt::format("--{}={}", option, plain ? value : quoted(value)));
}

void add_number(Words& out, const char* option, int value) {
  if (value > 0) out.push_back(fmt::format("--{}={}", option, value));
}

/// Slurm's time limits are whole minutes, so the limit is rounded up.
std::string time_limit(Duration walltime) {
  const auto minutes = std::chrono::ceil<std::chrono::minutes>(walltime).count();
  return fmt::format("{:02}:{:02}:00", minutes / 60, minutes % 60);
}

std::string log_pattern(const SlurmPlan& plan, bool array) {
  std::string folder;  // sbatch would also replace %x etc. in its name
  for (const char c : plan.folder) folder += c == '%' ? "%%" : std::string(1, c);
  return "--output=" + quoted(folder + (array ? "/%x-%A_%a.out" : "/%x-%j.out"));
}

/// Accounting options, the same for every job of a campaign.
void add_accounting(Words& out, const Resources& given) {
  add_text(out, "account", given.account);
  add_text(out, "qos", given.qos);
  add_text(out, "reservation", given.reservation);
}

/// Requests of one component of a job for its hosts.
void add_hosts(Words& out, const Resources& given, bool exclusive) {
  add_text(out, "partition", given.partition);
  add_text(out, "constraint", given.constraint);
  add_number(out, "cpus-per-task", given.cpus_per_task);
  add_number(out, "gpus-per-node", given.gpus_per_node);
  if (given.memory_per_node.value > 0) {
    out.push_back(fmt::format("--mem={:.0f}M", given.memory_per_node.value / (1 << 20)));
  }
  if (exclusive) out.emplace_back("--exclusive");
}

/// Every host gets as many tasks as the fullest one needs, and slurm/env.sh leaves some of them
/// idle. In a component without the scheduling rank, all hosts have the same number.
void add_tasks(Words& out, const Campaign& campaign, const HostLayout& layout) {
  const Resources& given = campaign.resources;
  const int hosts = given.nodes;
  const int per_host = given.scheduler ? layout.ranks_per_host - 1
                                       : std::max(layout.ranks_per_host, given.ranks_per_node);
  out.push_back(fmt::format("--nodes={}", hosts));
  out.push_back(fmt::format("--ntasks={}", hosts * per_host));
  out.push_back(fmt::format("--ntasks-per-node={}", per_host));
}

int array_tasks(const Campaign& campaign) {
  const auto cells = campaign.cells.size();
  const auto asked = static_cast<std::size_t>(campaign.resources.array_tasks);
  return static_cast<int>(std::min(cells, asked > 0 ? asked : kMostArrayTasks));
}

void add_array(Words& out, const Campaign& campaign) {
  const int at_once = campaign.resources.array_at_once;
  out.push_back(fmt::format("--array=0-{}{}", array_tasks(campaign) - 1,
                            at_once > 0 ? fmt::format("%{}", at_once) : ""));
}

void add_limit(Words& out, const Resources& given) {
  if (given.walltime == Duration{}) return;
  out.push_back(fmt::format("--time={}", time_limit(given.walltime)));
}

/// The component of the scheduling rank. The component of the workers follows.
void add_scheduler(Words& out, const Resources& given) {
  add_text(out, "partition", given.scheduler->partition);
  add_text(out, "constraint", given.scheduler->constraint);
  out.insert(out.end(), {"--nodes=1", "--ntasks=1", "hetjob"});
  add_accounting(out, given);
  add_limit(out, given);
}

Words run_directives(const Campaign& campaign, const SlurmPlan& plan, bool array) {
  const Resources& given = campaign.resources;
  Words out{fmt::format("--job-name={}", campaign.name)};
  add_accounting(out, given);
  add_limit(out, given);
  if (array) add_array(out, campaign);
  out.push_back(fmt::format("--signal=B:USR1@{:.0f}", to_seconds(given.signal_before)));
  out.insert(out.end(), {"--requeue", "--open-mode=append", log_pattern(plan, array)});
  if (given.scheduler) add_scheduler(out, given);
  add_tasks(out, campaign, host_layout(campaign));
  add_hosts(out, given, given.exclusive.value_or(campaign.any_live()));
  out.insert(out.end(), given.options.begin(), given.options.end());
  return out;
}

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
  job.directives = run_directives(campaign, plan, options.array);
  job.environment = {{"MIMUS", options.program},
                     {"MIMUS_SLURM", plan.folder},
                     {"MIMUS_RANKS", std::to_string(host_layout(campaign).ranks)}};
  if (const auto by_host = host_layout(campaign).by_host; !by_host.empty()) {
    job.environment.emplace_back("MIMUS_HOST_RANKS", fmt::format("{}", fmt::join(by_host, " ")));
  }
  if (!campaign.resources.launcher.empty()) {
    job.environment.emplace_back("MIMUS_LAUNCHER", campaign.resources.launcher);
  }
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
  const Resources& given = campaign.resources;
  SlurmJob job;
  job.script = "aggregate.sbatch";
  job.directives = {fmt::format("--job-name={}-aggregate", campaign.name)};
  add_accounting(job.directives, given);
  add_text(job.directives, "partition",
           given.scheduler && !given.scheduler->partition.empty() ? given.scheduler->partition
                                                                  : given.partition);
  job.directives.insert(job.directives.end(),
                        {"--nodes=1", "--ntasks=1", fmt::format("--time={}", kAggregateTime),
                         "--open-mode=append", log_pattern(plan, false)});
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
  if (!campaign.resources.scheduler) return;
  if (options.array) {
    throw UsageError(
        "--array: Slurm has no arrays of heterogeneous jobs; leave --array or "
        "resources.scheduler out");
  }
  if (campaign.resources.launcher == "mpirun") {
    throw UsageError(
        "resources.launcher: mpirun sees only the first component of a heterogeneous job; leave it "
        "or resources.scheduler out");
  }
  if (goes_on_without_workers(campaign)) {
    throw UsageError(
        "engine.on_lost_rank: continue needs mpirun, which sees only the first component of a "
        "heterogeneous job; leave it or resources.scheduler out");
  }
  if (campaign.any_live() && !host_layout(campaign).by_host.empty()) {
    throw UsageError(
        "resources.scheduler: the hosts of a component have equally many ranks, but the nodes of "
        "cluster.groups differ; leave it out");
  }
  if (!campaign.any_live()) {
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
