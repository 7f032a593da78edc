// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/cell_check.hpp"

#include <set>

#include <fmt/format.h>

#include "base/quantity_text.hpp"

namespace mimus::emulator {
namespace {

[[noreturn]] void refuse_workload(const Cell& cell, const std::string& what) {
  const ConfigNode* section = cell.config.find("workload");
  throw ConfigError(section != nullptr ? section->where : cell.config.where, "workload", what);
}

void check_model(const Cell& cell, const CellConfig& config, const workloads::Job& job,
                 const workloads::ModelCatalogue& models) {
  const workloads::Model* model = models.find(job.model);
  if (model == nullptr) {
    refuse_workload(cell, fmt::format("job \"{}\": {}", job.name,
                                      unknown_name_message("model", job.model, models.names())));
  }
  const Bytes least = model->memory(model->batch.per_gpu_min);
  const Bytes have = config.cluster.shape.gpu_memory;
  if (least > have) {
    refuse_workload(
        cell, fmt::format("job \"{}\": {} needs {} on a GPU at its smallest batch ({}), but a {} "
                          "has {}; leave the model out or choose another cluster.gpu",
                          job.name, job.model, format_bytes(least), model->batch.per_gpu_min,
                          config.cluster.shape.gpu_type, format_bytes(have)));
  }
}

void add_cluster_notes(const Cell& cell, const ClusterConfig& cluster,
                       std::vector<std::string>& notes) {
  const bool one_rack = cluster.shape.nodes <= cluster.shape.nodes_per_rack;
  const bool given = cluster.rack_network != cluster.network;
  if (one_rack && given) {
    const ConfigNode* node = find_path(cell.config, "cluster.rack_network");
    notes.push_back(fmt::format(
        "{}: cluster.rack_network has no effect: all nodes stand in one rack", node->where.str()));
  }
}

}  // namespace

workloads::Workload make_workload(const Cell& cell, const CellConfig& config,
                                  const workloads::ModelCatalogue& models) {
  const workloads::WorkloadContext context{models, cell.seed, config.cluster.shape.gpus()};
  try {
    return config.workload->make(context);
  } catch (const UsageError& e) {
    refuse_workload(cell, e.what());
  }
}

void check_workload(const Cell& cell, const CellConfig& config, const workloads::Workload& workload,
                    const workloads::ModelCatalogue& models) {
  const int gpus = config.cluster.shape.gpus();
  std::set<std::string> seen;
  if (workload.jobs.empty()) refuse_workload(cell, "yields no job");
  for (const workloads::Job& job : workload.jobs) {
    if (job.gang > gpus) {
      refuse_workload(cell, fmt::format("job \"{}\" asks for {} GPUs, but the cluster has {}",
                                        job.name, job.gang, gpus));
    }
    if (seen.insert(job.model).second) check_model(cell, config, job, models);
  }
}

CellFacts inspect_cell(const Cell& cell, const workloads::ModelCatalogue& models) {
  const CellConfig config = read_cell(cell, models);
  const workloads::Workload workload = make_workload(cell, config, models);
  check_workload(cell, config, workload, models);
  CellFacts facts;
  facts.jobs = static_cast<int>(workload.jobs.size());
  facts.lanes_per_gpu = read_policy_unmeasured(config.policy).max_tenants();
  facts.workers = config.cluster.shape.gpus() * facts.lanes_per_gpu;
  const Duration makespan = makespan_estimate(config, workload, models);
  facts.wall_estimate = scale(makespan, 1.0 / config.engine.time_scale);
  facts.input_hash = workload.source_hash;
  facts.notes = workload.notes;
  add_cluster_notes(cell, config.cluster, facts.notes);
  return facts;
}

}  // namespace mimus::emulator
