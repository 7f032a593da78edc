// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/run/virtual_run.hpp"

#include <map>
#include <memory>

#include "emulator/campaign/check/cell_check.hpp"
#include "emulator/run/cell_execution.hpp"
#include "emulator/run/data_settings.hpp"
#include "emulator/run/request_mix.hpp"
#include "emulator/run/virtual_parts.hpp"
#include "emulator/virtual/steps/step_time_estimate.hpp"

namespace mimus::emulator {
namespace {

/// All parts of one virtual cell, built in order.
class VirtualCell final : public CellEngine {
 public:
  VirtualCell(const VirtualRun& run, const Cell& cell)
      : run_(run),
        models_(run.campaign.models),
        cell_(cell),
        config_(*cell.settings),
        seed_(cell.seed),
        jobs_(begin_workload(cell, config_, models_)),
        truths_(models_),
        parts_(make_virtual_parts(config_, models_, truths_, seed_)) {}

  [[nodiscard]] const scheduler::ClusterShape& shape() const override {
    return config_.cluster.shape;
  }
  [[nodiscard]] const workloads::JobStream& jobs() const override { return *jobs_; }
  [[nodiscard]] std::shared_ptr<const scheduler::ThroughputEstimate> modelled() const override {
    return std::make_shared<StepTimeEstimate>(*parts_.steps, models_);
  }
  [[nodiscard]] std::shared_ptr<const scheduler::Oracle> oracle() const override {
    return parts_.oracle;
  }

  [[nodiscard]] ProvenanceFacts facts() const override {
    return {
        {"engine", "virtual"},
        {"gpu", config_.cluster.shape.gpu_type},
        {"links", links_text(config_.cluster)},
        {"step_time", parts_.steps->name()},
        {"interference", interference()},
        {"native", "scheduler decisions"},
        {"modelled", "everything else: step times, interference, links, start-up, checkpoints"}};
  }

  void execute(scheduler::Scheduler& scheduler, results::Recorder& recorder) override {
    const WallInstant begin = wall_now();
    Testbed testbed(*jobs_, truths_, scheduler, *parts_.engine, recorder,
                    {.round = config_.engine.round,
                     .run_time_jobs = parts_.steps->counts_run_time(),
                     .seed = seed_,
                     .learning = config_.learning,
                     .gradients = {config_.gradient_noise, seed_},
                     .jobs_at_once = config_.jobs_at_once,
                     .until = config_.engine.until ? Instant{*config_.engine.until} : kNever,
                     .until_last_arrival = config_.engine.until_last_arrival,
                     .until_jobs = config_.engine.until_jobs,
                     .draws = config_.cluster.draws(),
                     .prices = config_.cluster.prices(),
                     .mix = recorded_mix(cell_, config_, models_),
                     .checkpoint_every = config_.checkpoint_every,
                     .data = data_paths(config_.cluster, *parts_.steps)});
    testbed.run(run_.watcher);
    recorder.set_attribute("wall_seconds", to_seconds(wall_now() - begin));
    record_baselines(testbed.log().co_location(), recorder);
  }

 private:
  [[nodiscard]] std::string interference() const {
    const bool replays = config_.engine.replay != EngineConfig::Replay::none;
    return replays ? "that of the replayed simulator" : std::string(parts_.interference->name());
  }

  /// Baselines are the step times that the model gives for an attempt alone.
  void record_baselines(const CoLocationLog& log, results::Recorder& recorder) const {
    std::map<BaselineKey, double> solo;
    for (const auto& [key, attempt] : log.needed()) {
      const StepCost cost = parts_.steps->step(attempt, {});
      solo[key] = to_seconds(cost.step);
      recorder.add(
          results::BaselineRow{.model = key.model,
                               .shape = key.shape,
                               .gpu_type = key.gpu_type,
                               .per_gpu_batch = key.per_gpu,
                               .accumulation = key.accumulation,
                               .step_solo = solo[key],
                               .exposed_communication = to_seconds(cost.exposed_communication),
                               .device_busy = to_seconds(cost.device_busy),
                               .step_modelled = solo[key],
                               .steps = 0,
                               .origin = "model"});
    }
    log.write(solo);
  }

  const VirtualRun& run_;
  const workloads::ModelCatalogue& models_;
  const Cell& cell_;
  const CellConfig& config_;
  std::uint64_t seed_;
  std::unique_ptr<workloads::JobStream> jobs_;
  JobTruths truths_;
  VirtualParts parts_;
};

}  // namespace

void run_virtual_cell(const VirtualRun& run, int index) {
  const Cell& cell = run.campaign.cells.at(static_cast<std::size_t>(index));
  VirtualCell engine(run, cell);
  (void)execute_cell({run.campaign, run.options, run.output_dir, cell}, engine);
}

}  // namespace mimus::emulator
