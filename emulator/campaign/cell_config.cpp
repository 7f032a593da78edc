// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/quantity_text.hpp"
#include "base/yaml_reader.hpp"
#include "emulator/campaign/campaign.hpp"
#include "emulator/campaign/cluster/cluster_keys.hpp"
#include "emulator/campaign/engine_keys.hpp"
#include "emulator/campaign/file_keys.hpp"
#include "scheduler/batch/batching.hpp"
#include "scheduler/policy/policy.hpp"
#include "workloads/workload_keys.hpp"
#include "workloads/workload_sources.hpp"

namespace mimus::emulator {
namespace {

void check_backends(const YamlReader& reader, const EngineConfig& engine) {
  if (engine.collective != "mpi" && !engine.on_cuda()) {
    reader.fail("collective", engine.collective +
                                  " reduces gradients on CUDA devices only; use mpi, or device: "
                                  "cuda");
  }
  if (engine.collective == "mpi" && engine.on_cuda() && engine.cuda.graphs) {
    reader.fail("collective",
                "mpi moves the gradients of a cuda device through the host, which a captured step "
                "cannot do; use nccl, or engine.cuda.launches: eager");
  }
  if (engine.on_cuda() && engine.pace == EngineConfig::Pace::datasheet) {
    reader.fail("pace", "a cuda device is never paced; use none, or device: cpu");
  }
  if (engine.clock == EngineConfig::Clock::unbound && engine.pace == EngineConfig::Pace::none) {
    reader.fail(
        "pace",
        "none runs with the wall clock, but the clock is unbound; set engine.clock: wall and "
        "a number as engine.time_scale");
  }
}

void follow_replay(const YamlReader& reader, EngineKeys& engine) {
  if (engine.replay == EngineConfig::Replay::none) return;
  engine.replayed_round = engine.length_of_rounds;
  if (engine.replays_leases()) return;  // its rounds end when leases do
  engine.round = engine.length_of_rounds;
  if (engine.round % std::chrono::seconds(1) != Duration::zero()) {
    reader.fail("round",
                fmt::format("is {}, but the simulator that engine.replay follows counts whole "
                            "seconds; e.g. 60 s",
                            format_duration(engine.round)));
  }
  if (engine.step_time.find("path") == nullptr) {
    reader.fail("replay",
                "replays measured trainings; name their folder with engine.step_time: {name: "
                "measured, path: FOLDER}");
  }
}

ClusterConfig read_cluster_section(YamlReader reader) {
  auto cluster = read_fields(cluster_fields(), reader);
  reader.finish();
  return cluster;
}

EngineConfig read_engine_section(YamlReader reader) {
  EngineKeys engine;
  for (const EngineKey& key : engine_keys()) key.key.read(reader, engine);
  reader.finish();
  if (engine.mode == EngineKeys::Mode::rounds) engine.round = engine.length_of_rounds;
  follow_replay(reader, engine);
  check_backends(reader, engine);
  return engine;
}

/// Knows no step times. It suffices to read and check a policy before any step has been measured.
class NoEstimateYet : public scheduler::ThroughputEstimate {
 public:
  [[nodiscard]] std::string name() const override { return "none yet"; }
  [[nodiscard]] std::optional<Duration> step_time(const std::string&, const scheduler::Allocation&,
                                                  const scheduler::BatchPlan&) const override {
    return std::nullopt;
  }
};

scheduler::Policy read_policy_unmeasured(const ConfigNode& policy) {
  return scheduler::read_policy(
      policy, "policy", {.throughput = std::make_shared<NoEstimateYet>(), .oracle = nullptr});
}

/// When jobs arrive, what they do with their learning rates, by the policy, and what is true of how
/// they learn.
void read_of_any_source(const ConfigNode& workload, CellConfig& out) {
  YamlReader reader(workload, "workload");
  const auto keys = workloads::read_workload_keys(reader);
  out.jobs_at_once = keys.jobs_at_once;
  out.checkpoint_every = keys.checkpoint_every;
  out.records_allocation = keys.draw.has_value();
  out.learning = {.rate = out.row->batch->learning_rate(), .initial = keys.training.learning_rate};
  out.gradient_noise = keys.training.gradient_noise;
}

}  // namespace

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
  out.row = std::make_shared<const scheduler::Policy>(read_policy_unmeasured(out.policy));
  out.cluster.shape.lanes_per_gpu = out.row->max_tenants();
  read_of_any_source(reader.node("workload"), out);
  out.record = record_key().read(reader);
  reader.finish();
  return out;
}

}  // namespace mimus::emulator
