// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/run/live_facts.hpp"

#include <set>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emulator/live/lane/tenant_pace.hpp"
#include "emulator/run/cuda_settings.hpp"
#include "emulator/run/device_record.hpp"

namespace mimus::emulator {
namespace {

std::string pace_name(const LiveCell& live) {
  return live.paced() ? "datasheet" : "none";
}

void add_world(ProvenanceFacts& out, const LiveWorld& world) {
  std::set<std::string> hosts;
  for (const auto& rank : world.ranks()) hosts.insert(rank.host);
  out["mpi_version"] = MpiWorld::library_version();
  out["hostname"] = world.ranks().front().host;
  out["hostlist"] = fmt::format("{}", fmt::join(hosts, ","));
  out["num_hosts"] = std::to_string(hosts.size());
  out["world_size"] = std::to_string(world.mpi().size());
  out["cores_per_host"] = std::to_string(world.cores_of_fullest_host());
  const auto gemm = static_cast<std::size_t>(kernels::KernelKind::gemm);
  const auto stream = static_cast<std::size_t>(kernels::KernelKind::elementwise);
  out["core_gemm_gflop_per_s"] = fmt::format("{:.2f}", world.rates().flop[gemm].value / 1e9);
  out["core_stream_gb_per_s"] = fmt::format("{:.2f}", world.rates().traffic[stream].value / 1e9);
}

/// The part of a CUDA collective that is real, as the beginning of a sentence.
std::string native_collectives(const std::string& collective) {
  if (collective == "nccl") return "NCCL collectives, ";
  if (collective == "mpi") return "MPI collectives through host memory, ";
  return "";  // ring: the device's part is real, but paced
}

void add_cuda(ProvenanceFacts& out, const LiveCell& live) {
  const EngineConfig& engine = live.engine;
  const bool ring = engine.collective == "ring";
  out["native"] = fmt::format(
      "processes, MPI messages, GPU kernels, GPU memory, input copies, {}scheduler decisions, "
      "checkpoint files",
      native_collectives(engine.collective));
  out["emulated"] = ring ? "links, start-up and storage time" : "start-up and storage time";
  const auto settings = cuda_settings(engine.cuda, live.cluster.gpu);
  for (const char* name : {"attention", "optimiser", "launches", "sharing"}) {
    out[fmt::format("cuda_{}", name)] = settings.at(name);
  }
  const bool of_each = !engine.cuda.launches.arithmetic;
  out["cuda_precision"] = of_each ? "of each model" : settings.at("precision");
}

void add_engine(ProvenanceFacts& out, const LiveCell& live) {
  out["engine"] = "live";
  out["device"] = live.engine.device;
  out["collective"] = live.engine.collective;
  out["gpu"] = live.cluster.gpu.name;
  out["links"] = links_text(live.cluster);
  out["pace"] = pace_name(live);
  out["interference"] = sharing_mode(live);
  out["time_scale"] = time_scale_text(live.engine);
  out["work_scale"] = fmt::format("{:.6g}", live.work_scale);
  if (live.engine.on_cuda()) {
    add_cuda(out, live);
    return;
  }
  out["native"] = "processes, MPI messages, CPU kernels, scheduler decisions, checkpoint files";
  out["emulated"] = live.paced() ? "GPU compute and memory, GPU memory capacity, links, storage"
                                 : "GPU memory capacity, start-up and storage time";
}

}  // namespace

std::string time_scale_text(const EngineConfig& engine) {
  const bool unbound = engine.clock == EngineConfig::Clock::unbound;
  return fmt::format("{:g}{}", engine.time_scale, unbound ? ", unbound" : "");
}

ProvenanceFacts live_facts(const LiveWorld& world, const LiveCell& live) {
  ProvenanceFacts out;
  add_world(out, world);
  add_engine(out, live);
  return out;
}

std::vector<results::LaterAttribute> facts_of_workers(const LiveCell& live) {
  constexpr std::size_t kText = 1024;
  std::vector<results::LaterAttribute> out;
  if (survives_losses(live.engine)) out = {{"gpus_lost"}, {"ranks_lost", kText}};
  if (live.paced()) out.push_back({"time_scale_reached"});
  if (live.paced() && live.engine.clock == EngineConfig::Clock::wall)
    out.push_back({"clock_held_seconds"});
  if (!live.engine.on_cuda()) return out;
  constexpr std::size_t kNumber = 20;
  out.push_back({"cuda_gpus_per_device", kNumber});
  out.push_back({"mps_active", std::string_view("false").size()});
  out.push_back({"device_samples_missing", kText});
  out.push_back(DeviceRecord::missing_values());
  return out;
}

std::string baseline_scope(const LiveWorld& world, const LiveCell& live, const LiveEngine& engine) {
  const auto& cluster = live.cluster;
  std::string scope = fmt::format(
      "{}|{}|{}|{}|{}|x{}|step {:g}|{}|load {:g}", world.ranks().front().host, live.engine.device,
      live.engine.collective, live.cluster.gpu.name, pace_name(live), time_scale_text(live.engine),
      to_seconds(live.engine.min_step_wall), links_text(cluster), live.engine.host_load);
  if (!live.engine.on_cuda()) return scope;
  std::set<std::string> devices(engine.devices().names().begin(), engine.devices().names().end());
  devices.erase("");  // ranks without a device
  scope += fmt::format("|{}|{} GPUs each|MPS {}", fmt::join(devices, ","),
                       engine.devices().gpus_per_device(),
                       engine.devices().mps() == "active" ? "active" : "not active");
  for (const auto& [name, value] : cuda_settings(live.engine.cuda, live.cluster.gpu)) {
    scope += fmt::format("|{} {}", name, value);
  }
  return scope;
}

}  // namespace mimus::emulator
