// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/check/cell_check.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/quantity_text.hpp"
#include "emulator/campaign/check/cell_run_times.hpp"
#include "emulator/campaign/check/clock_check.hpp"
#include "emulator/campaign/check/costs_check.hpp"
#include "emulator/campaign/check/data_check.hpp"
#include "emulator/campaign/check/groups_check.hpp"
#include "emulator/campaign/check/hardware_notes.hpp"
#include "emulator/campaign/check/hosts_check.hpp"
#include "emulator/campaign/check/lane_count.hpp"
#include "emulator/campaign/check/policy_check.hpp"
#include "emulator/campaign/check/replay_check.hpp"
#include "emulator/campaign/check/replica_check.hpp"
#include "emulator/campaign/check/sharing_check.hpp"
#include "emulator/virtual/steps/profile_throughput.hpp"
#include "kernels/layers/attention_runs.hpp"
#include "kernels/parallel/split_plan.hpp"
#include "scheduler/estimate/estimator.hpp"

namespace mimus::emulator {
namespace {

/// Number of jobs of a long workload that are checked before the virtual engine runs. The others
/// are checked as they arrive.
constexpr std::int64_t kJobsChecked = 100'000;

[[noreturn]] void refuse_workload(const Cell& cell, const std::string& what) {
  const ConfigNode* section = cell.config.find("workload");
  throw ConfigError(section != nullptr ? section->where : cell.config.where, "workload", what);
}

/// Turns an error about models into an error at the cell's `workload:`.
template <class Open>
auto opened(const Cell& cell, Open&& open) {
  try {
    return open();
  } catch (const UsageError& e) {
    refuse_workload(cell, e.what());
  }
}

/// Turns an unreadable file into an error at the key that names it, because the campaign is wrong.
template <class Open>
void check_files(const Cell& cell, const char* key, Open&& open) {
  try {
    open();
  } catch (const IoError& e) {
    const ConfigNode* node = find_path(cell.config, key);
    throw ConfigError(node != nullptr ? node->where : cell.config.where, key, e.what());
  }
}

void check_model(const Cell& cell, const CellConfig& config, const workloads::Job& job,
                 const workloads::ModelCatalogue& models) {
  if (job.model.empty()) {
    refuse_workload(cell, fmt::format("job \"{}\" is only a run time; give the source \"models:\" "
                                      "to draw footprints from, or run it with engine.kind: "
                                      "virtual and engine.step_time: duration",
                                      job.name));
  }
  const workloads::Model* model = opened(cell, [&] { return models.find(job.model); });
  if (model == nullptr) {
    refuse_workload(cell,
                    fmt::format("job \"{}\": {}", job.name, models.unknown_message(job.model)));
  }
  const std::string whole = opened(cell, [&] { return why_not_split(config, job, *model); });
  if (!whole.empty()) refuse_workload(cell, whole);
  const bool fused = config.engine.cuda.launches.attention == kernels::Attention::sdpa;
  if (config.engine.on_cuda() && fused) {
    opened(cell, [&] { kernels::check_fused_attention(*model); });
  }
  const kernels::MemoryNeed need = kernels::memory_need(*model);
  const auto least_batch = static_cast<double>(model->batch.per_gpu_min);
  const Bytes least = need.base + least_batch * need.per_sample;
  const Bytes have = config.cluster.shape.gpu_memory;
  if (config.cluster.shape.types() == 1 && least > have) {
    refuse_workload(
        cell, fmt::format("job \"{}\": {} needs {} on a GPU at its smallest batch ({}), but a {} "
                          "has {}; leave the model out or choose another cluster.gpu",
                          job.name, job.model, format_bytes(least), model->batch.per_gpu_min,
                          config.cluster.shape.gpu_type, format_bytes(have)));
  }
}

void check_rates(const Cell& cell, const workloads::Job& job, bool counts_run_time) {
  if (job.rates.empty()) return;
  if (!counts_run_time) {
    refuse_workload(cell, fmt::format("job \"{}\" states its speed on each GPU type, which only "
                                      "virtual runs with engine.step_time: duration use; set that",
                                      job.name));
  }
  for (const std::string& type : job.gpu_types) {
    const auto is_of_type = [&](const auto& rate) { return rate.first == type; };
    if (std::ranges::any_of(job.rates, is_of_type)) continue;
    refuse_workload(cell,
                    fmt::format("job \"{}\" may use GPU type {}, on which its rates give it no "
                                "speed; add one, or leave the type out",
                                job.name, type));
  }
}

void check_job(const Cell& cell, const CellConfig& config, const workloads::Job& job,
               const workloads::ModelCatalogue& models, JobTraits& traits) {
  const int gpus = config.cluster.shape.gpus();
  if (job.gang > gpus) {
    refuse_workload(cell, fmt::format("job \"{}\" asks for {} GPUs, but the cluster has {}",
                                      job.name, job.gang, gpus));
  }
  const std::string gpuless = why_not_without_gpus(config, job);
  if (!gpuless.empty()) refuse_workload(cell, fmt::format("job \"{}\" {}", job.name, gpuless));
  const std::string ranged = why_not_in_range(config, job);
  if (!ranged.empty()) refuse_workload(cell, fmt::format("job \"{}\" {}", job.name, ranged));
  const std::string dataless = why_no_data(config, job, traits);
  if (!dataless.empty()) refuse_workload(cell, fmt::format("job \"{}\" {}", job.name, dataless));
  if (config.cluster.shape.types() > 1 || !job.gpu_types.empty()) {
    const workloads::Model* model = traits.run_times ? nullptr : models.find(job.model);
    const std::string why = fits_no_type(config.cluster.shape, job, model);
    if (!why.empty()) refuse_workload(cell, fmt::format("job \"{}\": {}", job.name, why));
  }
  check_rates(cell, job, traits.run_times);
  if (traits.run_times) return traits.add(job, nullptr);
  if (!traits.models.contains(job.model)) check_model(cell, config, job, models);
  const std::string broken = why_broken(job, models.at(job.model));
  if (!broken.empty()) refuse_workload(cell, broken);
  traits.add(job, &models.at(job.model));
}

/// Also lists what the import left out, as this may be all jobs.
[[noreturn]] void refuse_empty(const Cell& cell, const std::vector<std::string>& notes) {
  if (notes.empty()) refuse_workload(cell, "yields no job");
  refuse_workload(
      cell, fmt::format("yields no job: {}; change what leaves rows out", fmt::join(notes, "; ")));
}

void check_jobs(const Cell& cell, const CellConfig& config, const workloads::Workload& workload,
                const workloads::ModelCatalogue& models, JobTraits& traits) {
  if (workload.jobs.empty()) refuse_empty(cell, workload.notes);
  for (const workloads::Job& job : workload.jobs) {
    check_job(cell, config, job, models, traits);
  }
}

void inspect_live(const Cell& cell, const CellConfig& config,
                  const workloads::ModelCatalogue& models, CellFacts& facts) {
  check_live_sharing(cell, config, models);
  check_overcommit(cell, config, config.engine.shares_hosts());
  check_data(cell, config, false);
  const workloads::Workload workload = make_workload(cell, config, models);
  JobTraits traits;
  check_jobs(cell, config, workload, models, traits);
  facts.jobs = static_cast<std::int64_t>(workload.jobs.size());
  facts.lanes_per_gpu = lane_count(*config.row, workload);
  facts.workers = config.cluster.shape.gpus() * facts.lanes_per_gpu;
  const Duration makespan = makespan_estimate(config, workload, models);
  // With `time_scale: max` the speed of the host is known only during the run. The estimate uses a
  // nominal time scale, which an idle host exceeds.
  facts.wall_estimate = scale(makespan, 1.0 / config.engine.time_scale);
  facts.input_hash = workload.source_hash;
  facts.notes = workload.notes;
  add_policy_notes(cell, config, traits, facts.notes);
  add_data_notes(cell, config, traits, facts.notes);
  add_hardware_notes(config, models, traits, facts.notes);
}

void inspect_virtual(const Cell& cell, const CellConfig& config,
                     const workloads::ModelCatalogue& models, CellFacts& facts) {
  std::unique_ptr<StepTimeModel> steps;
  check_files(cell, "engine.step_time", [&] { steps = make_step_time(config, models); });
  check_files(cell, "engine.interference",
              [&] { (void)make_interference(config, models, *steps); });
  JobTraits traits{.run_times = steps->counts_run_time()};
  check_overcommit(cell, config, traits.run_times || steps->shares_hosts());
  check_start_costs(cell, config.engine.costs, models);
  check_gangs(cell, config, traits);
  check_data(cell, config, traits.run_times);
  const auto stream = open_workload(cell, config, models);
  ClockCheck clock(config.cluster, *steps, models, facts.lanes_per_gpu);
  std::int64_t checked = 0;
  for (auto job = stream->next(); job && checked < kJobsChecked; job = stream->next(), ++checked) {
    check_job(cell, config, *job, models, traits);
    opened(cell, [&] {
      steps->check(*job);
      clock.add(*job);
    });
  }
  if (checked == 0) refuse_empty(cell, stream->notes());
  traits.of_all_jobs = checked < kJobsChecked;
  facts.jobs = stream->size();
  facts.input_hash = stream->source_hash();
  facts.notes = stream->notes();
  add_policy_notes(cell, config, traits, facts.notes);
  add_data_notes(cell, config, traits, facts.notes);
  add_hardware_notes(config, models, traits, facts.notes);
}

}  // namespace

workloads::WorkloadContext context_of(const Cell& cell, const CellConfig& config,
                                      const workloads::ModelCatalogue& models) {
  return {models, cell.seed, config.cluster.shape.gpus(), run_times_of(cell, config, models)};
}

workloads::Workload make_workload(const Cell& cell, const CellConfig& config,
                                  const workloads::ModelCatalogue& models) {
  return opened(cell, [&] { return config.workload->make(context_of(cell, config, models)); });
}

std::unique_ptr<workloads::JobStream> open_workload(const Cell& cell, const CellConfig& config,
                                                    const workloads::ModelCatalogue& models) {
  return opened(cell, [&] { return config.workload->open(context_of(cell, config, models)); });
}

std::unique_ptr<workloads::JobStream> begin_workload(const Cell& cell, const CellConfig& config,
                                                     const workloads::ModelCatalogue& models) {
  return opened(cell, [&] { return config.workload->begin(context_of(cell, config, models)); });
}

std::unique_ptr<StepTimeModel> make_step_time(const CellConfig& config,
                                              const workloads::ModelCatalogue& models) {
  return step_time_choices({config.cluster, &models})
      .make(config.engine.step_time, "engine.step_time");
}

std::unique_ptr<InterferenceModel> make_interference(const CellConfig& config,
                                                     const workloads::ModelCatalogue& models,
                                                     const StepTimeModel& steps) {
  return std::make_unique<LawOfTenants>(
      steps, config.cluster.gpu.host_link,
      make_sharing_law(config.engine.interference,
                       {.models = &models, .gpu_type = config.cluster.shape.gpu_type}));
}

std::shared_ptr<const scheduler::ThroughputEstimate> believed_throughput(
    const CellConfig& config, const workloads::ModelCatalogue& models,
    std::shared_ptr<const scheduler::ThroughputEstimate> otherwise) {
  if (config.engine.profile.empty()) return otherwise;
  return std::make_shared<ProfileThroughput>(config.cluster, models, config.engine.profile);
}

std::string throughput_source(const scheduler::Policy& policy,
                              const scheduler::ThroughputEstimate& believed) {
  return policy.estimate_learns() ? policy.estimate->name() : believed.name();
}

CellFacts inspect_cell(const Cell& cell, const CellConfig& config,
                       const workloads::ModelCatalogue& models) {
  CellFacts facts;
  facts.kind = config.engine.kind;
  check_replay(cell, config);
  check_groups(cell, config);
  check_hosts_of(cell, config);
  check_files(cell, "engine.profile", [&] { (void)believed_throughput(config, models, nullptr); });
  load_planner(config);
  facts.lanes_per_gpu = config.row->max_tenants();
  const bool live = config.engine.kind == EngineConfig::Kind::live;
  (live ? inspect_live : inspect_virtual)(cell, config, models, facts);
  add_cluster_notes(cell, config.cluster, facts.notes);
  add_run_time_notes(cell, config, facts.notes);
  return facts;
}

}  // namespace mimus::emulator
