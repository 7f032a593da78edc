// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/run/virtual_parts.hpp"

#include <utility>

#include "emulator/campaign/check/cell_check.hpp"
#include "emulator/campaign/report_interval.hpp"
#include "emulator/replay/gavel_replay.hpp"
#include "emulator/replay/pollux_replay.hpp"
#include "emulator/virtual/oracle/model_oracle.hpp"
#include "scheduler/batch/batching.hpp"
#include "scheduler/planner/planner.hpp"

namespace mimus::emulator {
namespace {

/// Run times need only a report at the end. Training is reported at intervals if the policy or the
/// steps table uses the reports.
Duration virtual_report_interval(const CellConfig& config, bool counts_run_time) {
  if (counts_run_time && !config.engine.report_every) return Duration{};
  const bool full = config.record == results::RecordLevel::full;
  return report_interval(config).value_or(full ? kReportEvery : Duration{});
}

void add_virtual_engine(VirtualParts& parts, const CellConfig& config,
                        const workloads::ModelCatalogue& models, const JobTruths& truths,
                        const VirtualEngine::Settings& settings) {
  auto engine = std::make_unique<VirtualEngine>(config.cluster, config.engine, *parts.steps,
                                                *parts.interference, settings);
  const VirtualEngine* asked = engine.get();
  const JobLookup jobs{[&truths](JobId job) -> const workloads::Job& { return truths.at(job).job; },
                       [&truths, asked](JobId job) {
                         const JobTruth& truth = truths.at(job);
                         return truth.attempt ? asked->samples_done(truth.attempt)
                                              : truth.samples_done;
                       }};
  parts.oracle =
      std::make_shared<ModelOracle>(config.cluster, *parts.steps, models, jobs, config.learning);
  parts.engine = std::move(engine);
}

void add_gavel_replay(VirtualParts& parts, const CellConfig& config,
                      const workloads::ModelCatalogue& models, const JobTruths& truths) {
  GavelReplay replay = make_gavel_replay(config.cluster, config.engine, truths);
  const JobLookup jobs{[&truths](JobId job) -> const workloads::Job& { return truths.at(job).job; },
                       std::move(replay.run_time_done)};
  parts.oracle =
      std::make_shared<ModelOracle>(config.cluster, *parts.steps, models, jobs, config.learning);
  parts.engine = std::move(replay.engine);
}

/// Whether jobs may report within a round without a decision about their GPUs.
bool plans_in_rounds_only(const scheduler::Policy& row) {
  if (row.planner == nullptr) return false;
  const scheduler::Wakes wakes = row.planner->wakes();
  return !wakes.starts && !wakes.reports;
}

void add_pollux_replay(VirtualParts& parts, const CellConfig& config, const JobTruths& truths) {
  const bool chooses_batch = config.row->batch->chooses_batch();
  PolluxReplay replay =
      make_pollux_replay(config.cluster, config.engine,
                         {.users_batch = !chooses_batch,
                          .reports_epochs = chooses_batch && plans_in_rounds_only(*config.row)},
                         truths);
  parts.data = std::move(replay.data);
  parts.engine = std::move(replay.engine);
  parts.oracle = std::move(replay.oracle);
}

}  // namespace

VirtualParts make_virtual_parts(const CellConfig& config, const workloads::ModelCatalogue& models,
                                const JobTruths& truths, std::uint64_t seed) {
  VirtualParts parts;
  parts.steps = make_step_time(config, models);
  parts.interference = make_interference(config, models, *parts.steps);
  if (config.engine.replay == EngineConfig::Replay::pollux_artifact) {
    add_pollux_replay(parts, config, truths);
  } else if (config.engine.replays_leases()) {
    add_gavel_replay(parts, config, models, truths);
  } else {
    add_virtual_engine(
        parts, config, models, truths,
        {.report_every = virtual_report_interval(config, parts.steps->counts_run_time()),
         .seed = seed});
  }
  return parts;
}

}  // namespace mimus::emulator
