// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/cli/workload/workload_job_list.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/config_tree.hpp"

namespace mimus::emulator::cli {
namespace {

using workloads::Job;
using workloads::Workload;

ConfigNode text(std::string value) {
  ConfigNode node = ConfigNode::text(std::move(value));
  node.quoted = true;
  return node;
}

/// Exact, because YAML durations in these units are read as decimals.
ConfigNode duration(Duration d) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  const bool whole = d.count() % kSecond == 0;
  return ConfigNode::text(whole ? fmt::format("{} s", d.count() / kSecond)
                                : fmt::format("{} ns", d.count()));
}

ConfigNode failures(const workloads::FailurePlan& plan) {
  ConfigNode list;
  list.kind = ConfigNode::Kind::sequence;
  for (const auto& failure : plan.failures) {
    ConfigNode item = ConfigNode::mapping();
    if (failure.after > Duration{}) {
      item.members.emplace_back("after", duration(failure.after));
    } else {
      item.members.emplace_back("at", ConfigNode::text(fmt::format("{}", failure.at_progress)));
    }
    if (failure.recurs) item.members.emplace_back("recurs", ConfigNode::text("true"));
    item.members.emplace_back("reason", text(failure.reason));
    list.items.push_back(std::move(item));
  }
  return list;
}

ConfigNode batch_plan(const std::vector<workloads::PlannedBatch>& plan) {
  ConfigNode list;
  list.kind = ConfigNode::Kind::sequence;
  for (const auto& [epoch, batch] : plan) {
    ConfigNode item = ConfigNode::mapping();
    item.members.emplace_back("epoch", ConfigNode::text(fmt::format("{}", epoch)));
    item.members.emplace_back("batch", ConfigNode::text(std::to_string(batch)));
    list.items.push_back(std::move(item));
  }
  return list;
}

ConfigNode entry(const Job& job) {
  ConfigNode node = ConfigNode::mapping();
  const auto add = [&node](const char* key, ConfigNode value) {
    node.members.emplace_back(key, std::move(value));
  };
  const bool has_model = !job.model.empty();
  add("name", text(job.name));
  add("user", text(job.user));
  add("virtual_cluster", text(job.virtual_cluster));
  if (!job.group.empty()) add("group", text(job.group));
  if (!job.application.empty()) add("application", text(job.application));
  if (has_model) add("model", text(job.model));
  add("gang", ConfigNode::text(std::to_string(job.gang)));
  if (job.gang_min > 1) add("gang_min", ConfigNode::text(std::to_string(job.gang_min)));
  if (job.gang_max < Job{}.gang_max) {
    add("gang_max", ConfigNode::text(std::to_string(job.gang_max)));
  }
  if (job.gpu_share < 1.0) add("gpu_share", ConfigNode::text(fmt::format("{}", job.gpu_share)));
  if (job.cores > 0.0) add("cores", ConfigNode::text(fmt::format("{}", job.cores)));
  if (job.host_memory > Bytes{}) {
    add("host_memory", ConfigNode::text(fmt::format("{:.0f} B", job.host_memory.value)));
  }
  if (job.host_share > 0.0) add("host_share", ConfigNode::text(fmt::format("{}", job.host_share)));
  if (!job.data_set.empty()) add("data_set", text(job.data_set));
  if (job.data_size > Bytes{}) {
    add("data_size", ConfigNode::text(fmt::format("{:.0f} B", job.data_size.value)));
  }
  if (has_model || job.total_batch != std::max(1, job.gang)) {
    add("batch", ConfigNode::text(std::to_string(job.total_batch)));
  }
  if (!job.batch_plan.empty()) add("batch_plan", batch_plan(job.batch_plan));
  if (has_model) {
    add("samples", ConfigNode::text(fmt::format("{}", job.work_samples)));
  }
  add("arrival", duration(job.arrival.time_since_epoch()));
  if (job.run_time > Duration{}) add("run_time", duration(job.run_time));
  if (job.user_estimate > Duration{}) add("estimate", duration(job.user_estimate));
  if (job.deadline > Duration{}) add("deadline", duration(job.deadline));
  if (!job.failures.failures.empty()) add("failures", failures(job.failures));
  return node;
}

std::string comment(const std::string& line) {
  std::string out = "# ";
  for (const char c : line) out += c == '\n' || c == '\r' ? ' ' : c;
  return out + "\n";
}

}  // namespace

std::string job_list_yaml(const Workload& workload, const std::string& from) {
  ConfigNode jobs;
  jobs.kind = ConfigNode::Kind::sequence;
  for (const Job& job : workload.jobs) jobs.items.push_back(entry(job));
  ConfigNode section = ConfigNode::mapping();
  section.members.emplace_back("source", ConfigNode::text("jobs"));
  section.members.emplace_back("jobs", std::move(jobs));
  ConfigNode document = ConfigNode::mapping();
  document.members.emplace_back("schema", ConfigNode::text("1"));
  document.members.emplace_back("workload", std::move(section));
  std::string out = comment("from " + from);
  out += comment(fmt::format("source {}, hash {}", workload.source, workload.source_hash));
  for (const std::string& note : workload.notes) out += comment(note);
  return out + to_yaml(document);
}

std::vector<std::string> job_list_losses(const Workload& workload) {
  const auto outcomes = std::count_if(
      workload.jobs.begin(), workload.jobs.end(),
      [](const Job& job) { return job.recorded != workloads::RecordedOutcome::unknown; });
  if (outcomes == 0) return {};
  return {fmt::format("a list of jobs cannot hold recorded outcomes: those of {} jobs are left out",
                      outcomes)};
}

}  // namespace mimus::emulator::cli
