// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/slurm/slurm_directives.hpp"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "emulator/slurm/slurm_components.hpp"

namespace mimus::emulator {
namespace {

/// Sites rarely allow longer arrays. The default of MaxArraySize is 1001.
constexpr std::size_t kMostArrayTasks = 1000;
constexpr const char* kAggregateTime = "00:30:00";

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

std::string log_pattern(const std::string& folder, bool array) {
  std::string escaped;  // sbatch would also replace %x etc. in its name
  for (const char c : folder) escaped += c == '%' ? "%%" : std::string(1, c);
  return "--output=" + quoted(escaped + (array ? "/%x-%A_%a.out" : "/%x-%j.out"));
}

/// Accounting options, the same for every job of a campaign.
void add_accounting(Words& out, const Resources& given) {
  add_text(out, "account", given.account);
  add_text(out, "qos", given.qos);
  add_text(out, "reservation", given.reservation);
}

void add_component(Words& out, const Component& component, const Resources& given, bool exclusive) {
  out.push_back(fmt::format("--nodes={}", component.hosts));
  out.push_back(fmt::format("--ntasks={}", component.hosts * component.ranks_per_host));
  out.push_back(fmt::format("--ntasks-per-node={}", component.ranks_per_host));
  add_text(out, "partition", component.partition);
  add_text(out, "constraint", component.constraint);
  add_number(out, "cpus-per-task", given.cpus_per_task);
  add_text(out, "gpus-per-node", component.gpus);
  if (given.memory_per_node.value > 0) {
    out.push_back(fmt::format("--mem={:.0f}M", given.memory_per_node.value / (1 << 20)));
  }
  if (exclusive) out.emplace_back("--exclusive");
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

/// Begins the next component of a heterogeneous job.
void add_separator(Words& out, const Resources& given) {
  out.emplace_back("hetjob");
  add_accounting(out, given);
  add_limit(out, given);
}

void add_scheduler(Words& out, const SchedulerHost& host) {
  add_text(out, "partition", host.partition);
  add_text(out, "constraint", host.constraint);
  out.insert(out.end(), {"--nodes=1", "--ntasks=1"});
}

}  // namespace

int array_tasks(const Campaign& campaign) {
  const auto cells = campaign.cells.size();
  const auto asked = static_cast<std::size_t>(campaign.resources.array_tasks);
  return static_cast<int>(std::min(cells, asked > 0 ? asked : kMostArrayTasks));
}

Words run_directives(const Campaign& campaign, const std::string& folder, bool array) {
  const Resources& given = campaign.resources;
  Words out{fmt::format("--job-name={}", campaign.name)};
  add_accounting(out, given);
  add_limit(out, given);
  if (array) add_array(out, campaign);
  out.push_back(fmt::format("--signal=B:USR1@{:.0f}", to_seconds(given.signal_before)));
  out.insert(out.end(), {"--requeue", "--open-mode=append", log_pattern(folder, array)});
  bool is_first = !given.scheduler;
  if (given.scheduler) add_scheduler(out, *given.scheduler);
  for (const Component& component : worker_components(campaign)) {
    if (!is_first) add_separator(out, given);
    is_first = false;
    add_component(out, component, given, given.exclusive.value_or(campaign.any_live()));
  }
  out.insert(out.end(), given.options.begin(), given.options.end());
  return out;
}

Words aggregate_directives(const Campaign& campaign, const std::string& folder) {
  const Resources& given = campaign.resources;
  Words out{fmt::format("--job-name={}-aggregate", campaign.name)};
  add_accounting(out, given);
  const bool has_own = given.scheduler && !given.scheduler->partition.empty();
  add_text(out, "partition", has_own ? given.scheduler->partition : given.partition);
  out.insert(out.end(), {"--nodes=1", "--ntasks=1", fmt::format("--time={}", kAggregateTime),
                         "--open-mode=append", log_pattern(folder, false)});
  return out;
}

}  // namespace mimus::emulator
