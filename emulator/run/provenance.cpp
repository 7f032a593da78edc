// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/run/provenance.hpp"

#include <array>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <unistd.h>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/json_text.hpp"
#include "emulator/campaign/build_info.hpp"
#include "emulator/campaign/published.hpp"

namespace mimus::emulator {
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

void add_program(ProvenanceFacts& out) {
  const BuildInfo& build = build_info();
  out["software"] = "mimus";
  out["software_version"] = build.version;
  out["git_commit"] = build.commit;
  out["git_dirty"] = build.dirty ? "yes" : "no";
  out["build_type"] = build.build_type;
  out["compiler"] = build.compiler;
  out["hdf5_version"] = build.hdf5;
}

void add_machine(ProvenanceFacts& out) {
  out["hostname"] = host_name();
  out["pid"] = std::to_string(::getpid());
  out["hostlist"] = out["hostname"];
  out["num_hosts"] = "1";
  out["world_size"] = "1";
  out["user"] = environment("USER");
  out["workdir"] = std::filesystem::current_path().string();
  out["date"] = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  constexpr std::array kSlurm{"SLURM_CLUSTER_NAME",
                              "SLURM_JOB_ID",
                              "SLURM_JOB_NAME",
                              "SLURM_JOB_PARTITION",
                              "SLURM_ARRAY_JOB_ID",
                              "SLURM_ARRAY_TASK_ID",
                              "SLURM_JOB_NODELIST",
                              "SLURM_JOB_NODELIST_HET_GROUP_0",
                              "SLURM_JOB_NODELIST_HET_GROUP_1",
                              "SLURM_CPUS_PER_TASK",
                              "SLURM_GPUS_PER_NODE",
                              "SLURM_RESTART_COUNT"};
  for (const char* name : kSlurm) {
    const std::string value = environment(name);
    if (!value.empty()) out[name] = value;
  }
}

/// A JSON object of values by path, in the order of the sweep; empty without a sweep.
std::string swept_values(const Cell& cell) {
  nlohmann::ordered_json values = nlohmann::ordered_json::object();
  for (const auto& [path, value] : cell.swept) values[path] = value;
  return json_text(values);
}

}  // namespace

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

ProvenanceFacts program_facts() {
  ProvenanceFacts out;
  add_program(out);
  add_machine(out);
  return out;
}

results::Provenance provenance_of(const Campaign& campaign, const Cell& cell,
                                  const RunOptions& options, const workloads::JobStream& jobs,
                                  const std::string& policy_label, const ProvenanceFacts& engine) {
  results::Provenance provenance;
  auto& out = provenance.attributes = program_facts();
  for (const auto& [name, value] : engine) out[name] = value;
  out["campaign"] = campaign.name;
  out["campaign_file"] = campaign.path;
  out["cell"] = cell.id;
  out["label"] = cell.label;
  out["swept"] = swept_values(cell);
  out["config_hash"] = cell.config_hash;
  if (!cell.published.empty()) out["published"] = published_json(cell.published);
  if (!campaign.measure.is_whole()) out["measure"] = campaign.measure.text();
  out["repetition"] = std::to_string(cell.repetition);
  out["seed"] = std::to_string(cell.seed);
  out["policy"] = policy_label;
  if (const auto size = jobs.size()) out["jobs"] = std::to_string(*size);
  out["workload_source"] = jobs.source();
  out["workload_hash"] = jobs.source_hash();
  out["workload_notes"] = fmt::format("{}", fmt::join(jobs.notes(), "; "));
  provenance.resolved_config = to_yaml(cell.config);
  provenance.later = {{"wall_seconds"}};
  provenance.command_line = fmt::format("{}", fmt::join(options.command_line, " "));
  return provenance;
}

}  // namespace mimus::emulator
