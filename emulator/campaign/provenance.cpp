// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/provenance.hpp"

#include <array>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <set>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emulator/campaign/build_info.hpp"

namespace mimus::emulator {
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string pace_name(const LiveCell& live) {
  return live.paced() ? "datasheet" : "none";
}

void add_program(std::map<std::string, std::string>& out) {
  const BuildInfo& build = build_info();
  out["software"] = "mimus";
  out["software_version"] = build.version;
  out["git_commit"] = build.commit;
  out["git_dirty"] = build.dirty ? "yes" : "no";
  out["build_type"] = build.build_type;
  out["compiler"] = build.compiler;
  out["hdf5_version"] = build.hdf5;
  out["mpi_version"] = MpiWorld::library_version();
}

void add_machine(std::map<std::string, std::string>& out, const LiveWorld& world) {
  std::set<std::string> hosts;
  for (const auto& rank : world.ranks()) hosts.insert(rank.host);
  out["hostname"] = world.ranks().front().host;
  out["hostlist"] = fmt::format("{}", fmt::join(hosts, ","));
  out["num_hosts"] = std::to_string(hosts.size());
  out["world_size"] = std::to_string(world.mpi().size());
  out["cores_per_host"] = std::to_string(world.cores_of_fullest_host());
  const auto gemm = static_cast<std::size_t>(kernels::KernelKind::gemm);
  const auto stream = static_cast<std::size_t>(kernels::KernelKind::elementwise);
  out["core_gemm_gflop_per_s"] = fmt::format("{:.2f}", world.rates().flop[gemm].value / 1e9);
  out["core_stream_gb_per_s"] = fmt::format("{:.2f}", world.rates().traffic[stream].value / 1e9);
  out["user"] = environment("USER");
  out["workdir"] = std::filesystem::current_path().string();
  out["date"] = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  constexpr std::array kSlurm{"SLURM_JOB_ID",       "SLURM_ARRAY_JOB_ID",  "SLURM_ARRAY_TASK_ID",
                              "SLURM_JOB_NODELIST", "SLURM_JOB_PARTITION", "SLURM_RESTART_COUNT"};
  for (const char* name : kSlurm) {
    const std::string value = environment(name);
    if (!value.empty()) out[name] = value;
  }
}

void add_engine(std::map<std::string, std::string>& out, const LiveCell& live) {
  out["engine"] = "live";
  out["device"] = live.engine.device;
  out["collective"] = live.engine.collective;
  out["gpu"] = live.gpu->name;
  out["pace"] = pace_name(live);
  out["time_scale"] = fmt::format("{:g}", live.engine.time_scale);
  out["work_scale"] = fmt::format("{:.6g}", live.work_scale);
  out["native"] = "processes, MPI messages, CPU kernels, scheduler decisions, checkpoint files";
  out["emulated"] = live.paced() ? "GPU compute and memory, GPU memory capacity, links, storage"
                                 : "GPU memory capacity, start-up and storage time";
}

}  // namespace

results::Provenance provenance_of(const Campaign& campaign, const Cell& cell,
                                  const RunOptions& options, const LiveWorld& world,
                                  const LiveCell& live, const workloads::Workload& workload,
                                  const std::string& policy_label) {
  results::Provenance provenance;
  auto& out = provenance.attributes;
  add_program(out);
  add_machine(out, world);
  add_engine(out, live);
  out["campaign"] = campaign.name;
  out["campaign_file"] = campaign.path;
  out["cell"] = cell.id;
  out["label"] = cell.label;
  out["config_hash"] = cell.config_hash;
  out["repetition"] = std::to_string(cell.repetition);
  out["seed"] = std::to_string(cell.seed);
  out["policy"] = policy_label;
  out["workload_source"] = workload.source;
  out["workload_hash"] = workload.source_hash;
  out["workload_notes"] = fmt::format("{}", fmt::join(workload.notes, "; "));
  provenance.resolved_config = to_yaml(cell.config);
  provenance.command_line = fmt::format("{}", fmt::join(options.command_line, " "));
  return provenance;
}

std::string baseline_scope(const LiveWorld& world, const LiveCell& live) {
  const auto& cluster = live.cluster;
  return fmt::format(
      "{}|{}|{}|{}|{}|x{:g}|step {:g}|net {:g}/{:g}/{:g}|load {:g}", world.ranks().front().host,
      live.engine.device, live.engine.collective, live.gpu->name, pace_name(live),
      live.engine.time_scale, to_seconds(live.engine.min_step_wall), cluster.network.value,
      cluster.rack_network.value, to_seconds(cluster.network_latency), live.engine.host_load);
}

}  // namespace mimus::emulator
