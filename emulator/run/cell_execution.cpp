// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/run/cell_execution.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>

#include <fmt/format.h>

#include "emulator/campaign/check/cell_check.hpp"
#include "emulator/campaign/status/cell_state.hpp"
#include "emulator/live/engine/live_engine.hpp"
#include "emulator/run/request_mix.hpp"
#include "emulator/testbed/solo_profiles.hpp"
#include "scheduler/policy/policy.hpp"

namespace mimus::emulator {
namespace {

/// Records what ended the run and rethrows it.
void record_end(CellEngine& engine, scheduler::Scheduler& scheduler, results::Recorder& recorder) {
  try {
    engine.execute(scheduler, recorder);
  } catch (const InterruptedError& stopped) {
    recorder.set_status("interrupted", stopped.what());
    throw;
  } catch (const WorkerLostError& lost) {  // killed from outside: the cell is not at fault
    recorder.set_status("interrupted", lost.what());
    throw;
  } catch (const std::exception& error) {
    recorder.set_status("failed", error.what());
    throw;
  }
  recorder.complete();
}

/// Where learning rates are not simply AdaScale's, with which they cost nothing: results then rest
/// on a model of learning and say on which.
void add_learning(const LearningTruth& learning, ProvenanceFacts& facts) {
  if (learning.rate.rule == scheduler::LearningRate::Rule::adascale) return;
  facts["learning_rate"] = fmt::format("{}, emulated quadratic truth, z0 = {}",
                                       scheduler::name(learning.rate.rule), learning.initial);
}

}  // namespace

std::string execute_cell(const CellToRun& run, CellEngine& engine) {
  const CellConfig& config = *run.cell.settings;
  const auto throughput = believed_throughput(config, run.campaign.models, engine.modelled());
  scheduler::Policy policy = scheduler::read_policy(
      config.policy, "policy",
      {.throughput = throughput,
       .oracle = engine.oracle(),
       .seed = run.cell.seed,
       .profiles = [&models = run.campaign.models,
                    &gpu = config.cluster.shape.gpu_type] { return solo_profiles(models, gpu); },
       .mix = request_mix(run.cell, config, run.campaign.models)});
  ProvenanceFacts facts = engine.facts();
  facts["throughput_estimate"] = throughput_source(policy, *throughput);
  facts["oracle"] = policy.asks_oracle();
  add_learning(config.learning, facts);
  auto provenance =
      provenance_of(run.campaign, run.cell, run.options, engine.jobs(), policy.label, facts);
  std::ranges::move(engine.later_facts(), std::back_inserter(provenance.later));
  scheduler::Scheduler scheduler(engine.shape(), std::move(policy));
  std::string path = result_path(run.folder, run.cell);
  // A recorder never overwrites a file.
  if (run.options.rerun != Rerun::none) std::filesystem::remove(path);
  results::Recorder recorder(path, std::move(provenance), config.record);
  record_end(engine, scheduler, recorder);
  return path;
}

}  // namespace mimus::emulator
