// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <utility>

#include <fmt/format.h>

#include "base/yaml_reader.hpp"
#include "emulator/campaign/campaign.hpp"
#include "emulator/campaign/cuda_config.hpp"
#include "kernels/gpu_spec.hpp"
#include "scheduler/policy.hpp"
#include "workloads/traces/input_file.hpp"

namespace mimus::emulator {
namespace {

/// The artifact's simulator moves in steps of as much.
constexpr Duration kReplayedRound = std::chrono::seconds{60};

int get_int(YamlReader& reader, std::string_view key, Limits limits) {
  return static_cast<int>(reader.get<std::int64_t>(key, limits));
}

/// `gpu` names a type of the built-in table, or the one that `machine` describes.
kernels::GpuSpec read_gpu(YamlReader& reader) {
  const auto name = reader.get<std::string>("gpu");
  if (reader.has("machine")) {
    kernels::GpuSpec own = kernels::read_gpu(reader.node("machine"), reader.child_path("machine"));
    if (own.name == name) return own;
    reader.fail("machine", fmt::format("describes GPU type \"{}\", but cluster.gpu is \"{}\"",
                                       own.name, name));
  }
  const auto names = kernels::gpu_names();
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    reader.fail("gpu", unknown_name_message("GPU type", name, names));
  }
  return kernels::gpu_spec(name);
}

/// A stated rate alone is the datasheet's. What collectives reach of it then follows from a usual
/// machine of this type, where that is known: the same at most on a slower link, the same share of
/// a faster one.
kernels::LinkRate read_uplink(YamlReader& reader, std::string_view key,
                              const kernels::LinkRate& usual) {
  kernels::LinkRate link = key == "intra_node" ? kernels::read_link_rate(reader, key)
                                               : kernels::read_network_rate(reader, key);
  if (link.effective || !usual.effective) return link;
  const double faster = std::max(1.0, link.rate.value / usual.rate.value);
  link.effective = std::min(link.rate, faster * *usual.effective);
  if (!usual.effective_two_nodes || link.effective_two_nodes) return link;
  link.effective_two_nodes = std::min(*link.effective, faster * *usual.effective_two_nodes);
  return link;
}

void read_links(YamlReader& reader, ClusterConfig& cluster) {
  kernels::GpuSpec& gpu = cluster.gpu;
  if (reader.has("intra_node")) {
    gpu.island_link = gpu.node_link = read_uplink(reader, "intra_node", gpu.node_link);
  }
  const kernels::LinkRate usual = gpu.network;
  cluster.network = reader.has("network") ? read_uplink(reader, "network", usual) : usual;
  cluster.rack_network =
      reader.has("rack_network") ? read_uplink(reader, "rack_network", usual) : cluster.network;
  cluster.network_latency = reader.get<Duration>("network_latency", {.min = 0.0, .max = 1.0});
}

scheduler::ClusterShape read_shape(YamlReader& reader, const kernels::GpuSpec& gpu) {
  scheduler::ClusterShape shape;
  shape.nodes = get_int(reader, "nodes", {.min = 1, .max = 100'000});
  shape.gpus_per_node = get_int(reader, "gpus_per_node", {.min = 1, .max = 64});
  shape.gpus_per_island = get_int(reader, "gpus_per_island",
                                  {.min = 1, .max = static_cast<double>(shape.gpus_per_node)});
  shape.nodes_per_rack = get_int(reader, "nodes_per_rack", {.min = 1, .max = 100'000});
  if (shape.gpus_per_node % shape.gpus_per_island != 0) {
    reader.fail("gpus_per_island", fmt::format("{} does not divide gpus_per_node, which is {}",
                                               shape.gpus_per_island, shape.gpus_per_node));
  }
  shape.gpu_type = gpu.name;
  shape.gpu_memory = reader.get_or<Bytes>("gpu_memory", gpu.memory, kPositive);
  return shape;
}

std::vector<Outage> read_outages(YamlReader& reader, const scheduler::ClusterShape& shape) {
  std::vector<Outage> outages;
  if (!reader.has("outages")) return outages;
  const auto& items = reader.sequence("outages");
  for (std::size_t i = 0; i < items.size(); ++i) {
    YamlReader item(items[i], fmt::format("{}[{}]", reader.child_path("outages"), i));
    Outage outage;
    const double last = shape.nodes - 1;
    outage.node = NodeId{item.get<std::int64_t>("node", {.min = 0, .max = last})};
    outage.down = Instant{item.get<Duration>("down", kNotNegative)};
    outage.up = Instant{item.get<Duration>("up", kPositive)};
    if (outage.up <= outage.down) item.fail("up", "must be later than down");
    item.finish();
    outages.push_back(outage);
  }
  const auto by_node = [](const Outage& a, const Outage& b) {
    return std::pair(a.node, a.down) < std::pair(b.node, b.down);
  };
  std::sort(outages.begin(), outages.end(), by_node);
  for (std::size_t i = 1; i < outages.size(); ++i) {
    const bool overlap =
        outages[i].node == outages[i - 1].node && outages[i].down <= outages[i - 1].up;
    if (!overlap) continue;
    reader.fail("outages", fmt::format("two outages of node {} overlap or touch; merge them",
                                       outages[i].node.value()));
  }
  return outages;
}

ClusterConfig read_cluster_section(YamlReader reader) {
  ClusterConfig cluster;
  cluster.gpu = read_gpu(reader);
  cluster.shape = read_shape(reader, cluster.gpu);
  read_links(reader, cluster);
  cluster.storage = reader.get<BytesPerSecond>("storage", kPositive);
  cluster.outages = read_outages(reader, cluster.shape);
  reader.finish();
  return cluster;
}

/// How many of an emulated second's parts are executed one by one where nothing ties them to wall
/// time: as with this number.
constexpr double kTimeScaleOfMax = 60.0;

void read_time_scale(YamlReader& reader, EngineConfig& engine) {
  const ConfigNode& node = reader.node("time_scale");
  const bool word = node.kind == ConfigNode::Kind::scalar && !node.scalar.empty() &&
                    std::isalpha(static_cast<unsigned char>(node.scalar.front())) != 0;
  if (!word) {
    engine.time_scale = reader.get<double>("time_scale", {.min = 1e-3, .max = 1e6});
    return;
  }
  if (node.scalar != "max") {
    reader.fail("time_scale", fmt::format("expected a number, or max, got \"{}\"", node.scalar));
  }
  if (engine.pace == EngineConfig::Pace::none) {
    reader.fail("time_scale",
                "max is for what is paced, and engine.pace is none: that takes the time it takes; "
                "use a number");
  }
  engine.as_fast_as_possible = true;
  engine.time_scale = kTimeScaleOfMax;
}

void check_backends(const YamlReader& reader, const EngineConfig& engine) {
  if (engine.collective != "mpi" && !engine.on_cuda()) {
    reader.fail("collective", engine.collective +
                                  " reduces gradients on CUDA devices only; use mpi, or device: "
                                  "cuda");
  }
  if (engine.collective == "mpi" && engine.on_cuda() && engine.cuda.graphs) {
    reader.fail("collective",
                "mpi takes the gradients of a cuda device through the host, which a captured step "
                "cannot; use nccl, or engine.cuda.launches: eager");
  }
  if (engine.on_cuda() && engine.pace == EngineConfig::Pace::datasheet) {
    reader.fail("pace", "a cuda device is never paced; use none, or device: cpu");
  }
}

TransitionCosts read_costs(YamlReader& engine) {
  TransitionCosts costs;
  if (!engine.has("costs")) return costs;
  YamlReader reader = engine.map("costs");
  costs.start = reader.get_if<Duration>("start", kNotNegative);
  costs.checkpoint = reader.get_if<Duration>("checkpoint", kNotNegative);
  costs.restore = reader.get_if<Duration>("restore", kNotNegative);
  costs.migrate = reader.get_if<Duration>("migrate", kNotNegative);
  costs.resize = reader.get_if<Duration>("resize", kNotNegative);
  reader.finish();
  return costs;
}

void read_replay(YamlReader& reader, EngineConfig& engine) {
  if (reader.choice("replay", {"none", "pollux-artifact"}) == "none") return;
  engine.replay = EngineConfig::Replay::pollux_artifact;
  engine.round = kReplayedRound;
  if (engine.step_time.find("path") == nullptr) {
    reader.fail("replay",
                "replays measured trainings; say where they are with engine.step_time: {name: "
                "measured, path: FOLDER}");
  }
}

void read_virtual(YamlReader& reader, EngineConfig& engine) {
  engine.step_time = reader.node("step_time");
  read_replay(reader, engine);
  engine.interference = reader.node("interference");
  engine.costs = read_costs(reader);
  engine.report_every = reader.get_if<Duration>("report_every", kNotNegative);
}

EngineConfig read_engine_section(YamlReader reader) {
  EngineConfig engine;
  const bool live = reader.choice("kind", {"live", "virtual"}) == "live";
  engine.kind = live ? EngineConfig::Kind::live : EngineConfig::Kind::virtual_time;
  const Duration round = reader.get<Duration>("round", kPositive);
  if (reader.choice("mode", {"events", "rounds"}) == "rounds") engine.round = round;
  read_virtual(reader, engine);
  engine.device = reader.choice("device", {"cpu", "cuda"});
  engine.collective = reader.choice("collective", {"mpi", "nccl", "ring"});
  engine.cuda = read_cuda(reader);
  const bool paced = reader.choice("pace", {"datasheet", "none"}) == "datasheet";
  engine.pace = paced ? EngineConfig::Pace::datasheet : EngineConfig::Pace::none;
  read_time_scale(reader, engine);
  if (reader.has("profile")) {
    engine.profile = workloads::named_path(reader.node("profile"), reader.child_path("profile"));
  }
  engine.min_step_wall = reader.get<Duration>("min_step", {.min = 1e-3, .max = 10.0});
  engine.host_load = reader.get<double>("host_load", {.min = 0.01, .max = 1.0});
  engine.stage_timeout = reader.get<Duration>("stage_timeout", {.min = 1.0, .max = 3600.0});
  if (reader.has("on_lost_rank")) {
    engine.on_lost_rank = reader.choice("on_lost_rank", {"continue", "stop"}) == "stop"
                              ? EngineConfig::OnLostRank::stop
                              : EngineConfig::OnLostRank::go_on;
  }
  reader.finish();
  check_backends(reader, engine);
  return engine;
}

results::RecordLevel read_record(YamlReader& reader) {
  const auto level = reader.choice("record", {"full", "jobs", "summary"});
  if (level == "full") return results::RecordLevel::full;
  return level == "jobs" ? results::RecordLevel::jobs : results::RecordLevel::summary;
}

/// Knows no step time: enough to read and check a policy before any step has been measured.
class NoEstimateYet : public scheduler::ThroughputEstimate {
 public:
  [[nodiscard]] std::string name() const override { return "none yet"; }
  [[nodiscard]] std::optional<Duration> step_time(const std::string&, const scheduler::Allocation&,
                                                  const scheduler::BatchPlan&) const override {
    return std::nullopt;
  }
};

}  // namespace

scheduler::Policy read_policy_unmeasured(const ConfigNode& policy) {
  return scheduler::read_policy(
      policy, "policy", {.throughput = std::make_shared<NoEstimateYet>(), .oracle = nullptr});
}

ClusterConfig read_cluster(const ConfigNode& cell) {
  return read_cluster_section(YamlReader(cell, "").map("cluster"));
}

EngineConfig read_engine(const ConfigNode& cell) {
  return read_engine_section(YamlReader(cell, "").map("engine"));
}

CellConfig read_cell(const Cell& cell, const workloads::ModelCatalogue&) {
  YamlReader reader(cell.config, "");
  CellConfig out;
  out.cluster = read_cluster_section(reader.map("cluster"));
  out.engine = read_engine_section(reader.map("engine"));
  out.workload = workloads::make_workload_source(reader.node("workload"), "workload");
  out.policy = reader.node("policy");
  (void)read_policy_unmeasured(out.policy);
  out.record = read_record(reader);
  reader.finish();
  return out;
}

}  // namespace mimus::emulator
