// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/virtual_run.hpp"

#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "emulator/campaign/cell_check.hpp"
#include "emulator/campaign/cell_state.hpp"
#include "emulator/campaign/provenance.hpp"
#include "emulator/campaign/virtual_parts.hpp"
#include "emulator/virtual/step_time_estimate.hpp"

namespace mimus::emulator {
namespace {

CellConfig with_lanes(CellConfig config) {
  config.cluster.shape.lanes_per_gpu = read_policy_unmeasured(config.policy).max_tenants();
  return config;
}

/// Everything of one cell, built in order.
class VirtualCellRun {
 public:
  VirtualCellRun(const VirtualRun& run, int index)
      : run_(run),
        models_(run.campaign.models),
        cell_(run.campaign.cells.at(static_cast<std::size_t>(index))),
        config_(with_lanes(read_cell(cell_, models_))),
        jobs_(open_workload(cell_, config_, models_)),
        truths_(models_),
        parts_(make_virtual_parts(config_, models_, truths_)),
        scheduler_(config_.cluster.shape, policy()) {}

  void run() {
    const std::string path = result_path(run_.output_dir, cell_);
    if (run_.options.rerun != Rerun::none)
      std::filesystem::remove(path);  // a recorder never overwrites one
    results::Recorder recorder(
        path, provenance_of(run_.campaign, cell_, run_.options, *jobs_, policy_label_, facts()),
        config_.record);
    try {
      execute(recorder);
    } catch (const InterruptedError& stopped) {
      recorder.set_status("interrupted", stopped.what());
      throw;
    } catch (const std::exception& error) {
      recorder.set_status("failed", error.what());
      throw;
    }
    recorder.complete();
  }

 private:
  scheduler::Policy policy() {
    const auto throughput = believed_throughput(
        config_, models_, std::make_shared<StepTimeEstimate>(*parts_.steps, models_));
    auto policy = scheduler::read_policy(
        config_.policy, "policy",
        {.throughput = throughput, .oracle = parts_.oracle, .seed = cell_.seed});
    policy_label_ = policy.label;
    throughput_label_ = throughput_source(policy, *throughput);
    asks_oracle_ = policy.asks_oracle();
    return policy;
  }

  [[nodiscard]] ProvenanceFacts facts() const {
    return {
        {"engine", "virtual"},
        {"gpu", config_.cluster.shape.gpu_type},
        {"links", links_text(config_.cluster)},
        {"step_time", parts_.steps->name()},
        {"interference", parts_.interference->name()},
        {"throughput_estimate", throughput_label_},
        {"oracle", asks_oracle_},
        {"native", "scheduler decisions"},
        {"modelled", "everything else: step times, interference, links, start-up, checkpoints"}};
  }

  void execute(results::Recorder& recorder) {
    const WallInstant begin = wall_now();
    Testbed testbed(
        *jobs_, truths_, scheduler_, *parts_.engine, recorder,
        {.round = config_.engine.round, .run_time_jobs = parts_.steps->counts_run_time()});
    testbed.run(run_.watcher);
    recorder.set_attribute("wall_seconds", to_seconds(wall_now() - begin));
    record_baselines(testbed.log().co_location(), recorder);
  }

  /// Slowdowns are relative to what the step-time model says of an attempt alone.
  void record_baselines(const CoLocationLog& log, results::Recorder& recorder) const {
    std::map<BaselineKey, double> solo;
    for (const auto& [key, attempt] : log.needed()) {
      const StepCost cost = parts_.steps->step(attempt, {});
      solo[key] = to_seconds(cost.step);
      recorder.add(results::BaselineRow{.model = key.model,
                                        .shape = key.shape,
                                        .per_gpu_batch = key.per_gpu,
                                        .accumulation = key.accumulation,
                                        .step_solo = solo[key],
                                        .step_modelled = solo[key],
                                        .steps = 0,
                                        .origin = "model"});
    }
    log.write(recorder, solo);
  }

  const VirtualRun& run_;
  const workloads::ModelCatalogue& models_;
  const Cell& cell_;
  CellConfig config_;
  std::unique_ptr<workloads::JobStream> jobs_;
  JobTruths truths_;
  VirtualParts parts_;
  std::string policy_label_;
  std::string throughput_label_;
  std::string asks_oracle_;
  scheduler::Scheduler scheduler_;
};

}  // namespace

void run_virtual_cell(const VirtualRun& run, int index) {
  VirtualCellRun(run, index).run();
}

}  // namespace mimus::emulator
