// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/run/cell_run.hpp"

#include <algorithm>
#include <memory>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/log.hpp"
#include "emulator/campaign/check/cell_check.hpp"
#include "emulator/campaign/report_interval.hpp"
#include "emulator/live/engine/live_engine.hpp"
#include "emulator/live/gang/checkpoint.hpp"
#include "emulator/modelled_throughput.hpp"
#include "emulator/run/cell_execution.hpp"
#include "emulator/run/data_settings.hpp"
#include "emulator/run/device_record.hpp"
#include "emulator/run/live_facts.hpp"
#include "emulator/run/progress_line.hpp"
#include "emulator/run/request_mix.hpp"
#include "emulator/testbed/testbed.hpp"
#include "emulator/virtual/oracle/model_oracle.hpp"
#include "results/summary/summary.hpp"

namespace mimus::emulator {
namespace {

/// The largest work that any model of the workload asks of a core per second of device time. It
/// sets the scale, so that the host keeps up whichever jobs run at the same time.
double work_scale_for(const LiveWorld& world, const LiveCell& cell,
                      const workloads::Workload& workload) {
  std::set<std::string> models;
  for (const auto& job : workload.jobs) models.insert(job.model);
  double most = 0.0;
  for (const auto& name : models) {
    const auto& model = cell.models->at(name);
    const std::int64_t batch =
        std::clamp(model.batch.reference, model.batch.per_gpu_min, model.batch.per_gpu_max);
    for (int type = 0; type < cell.cluster.shape.types(); ++type) {
      const auto plan =
          kernels::make_plan(model, cell.cluster.gpu_of_type(type), {.per_gpu_batch = batch});
      most = std::max(most, world.rates().cpu_seconds_per_device_second(plan));
    }
  }
  return kernels::choose_work_scale(most, cell.engine.time_scale, world.gpus_on_fullest_host(),
                                    world.cores_of_fullest_host(), cell.engine.host_load);
}

/// The ranks of a node must be on one host. The world is laid out before its cells are known, in
/// blocks of one size.
void check_hosts(const LiveWorld& world, const scheduler::ClusterShape& shape) {
  if (!shape.groups) return;
  const auto hosts = world.hosts();
  const auto& groups = shape.groups->groups();
  const bool one_host = std::ranges::all_of(hosts, [&](const auto& h) { return h == hosts[0]; });
  const bool one_size = std::ranges::all_of(groups, [&](const scheduler::NodeGroup& group) {
    return group.gpus_per_node == groups[0].gpus_per_node;
  });
  if (one_host || one_size) return;
  throw EnvironmentError(
      "nodes of several sizes (cluster.groups) are emulated on one host only: start all ranks "
      "there, or give the groups equal gpus_per_node");
}

/// All parts of one live cell, built in order.
class LiveCellRun final : public CellEngine {
 public:
  LiveCellRun(CampaignRun& run, int index)
      : run_(run),
        index_(index),
        cell_(run.campaign.cells[static_cast<std::size_t>(index)]),
        live_(live_cell(run.campaign, index, run.world.shape())),
        truths_(run.campaign.models),
        steps_(step_time_choices({live_.cluster, &run.campaign.models})
                   .make(ConfigNode::text("analytic"), "engine.step_time")) {
    check_hosts(run.world, live_.cluster.shape);
    auto workload = make_workload(cell_, *cell_.settings, run.campaign.models);
    // On CUDA, kernels run at full size. Only the checkpoint and its time are scaled.
    live_.work_scale = live_.engine.on_cuda() ? std::max(1.0, live_.engine.time_scale)
                                              : work_scale_for(run.world, live_, workload);
    jobs_ = cell_.settings->workload->hears() == workloads::Hears::nothing
                ? std::make_unique<workloads::WorkloadStream>(std::move(workload))
                : begin_workload(cell_, *cell_.settings, run.campaign.models);
    live_.checkpoint_dir = fmt::format("{}/checkpoints/{}", run.output_dir, cell_.id);
  }

  [[nodiscard]] const scheduler::ClusterShape& shape() const override {
    return live_.cluster.shape;
  }
  [[nodiscard]] const workloads::JobStream& jobs() const override { return *jobs_; }
  [[nodiscard]] std::shared_ptr<const scheduler::ThroughputEstimate> modelled() const override {
    return std::make_shared<ModelledThroughput>(live_.cluster, run_.campaign.models);
  }

  /// The footprint model's step times, as ground truth for policies that use an oracle.
  [[nodiscard]] std::shared_ptr<const scheduler::Oracle> oracle() const override {
    const JobLookup jobs{[this](JobId job) -> const workloads::Job& { return truths_.at(job).job; },
                         [this](JobId job) { return truths_.at(job).samples_reported; }};
    return std::make_shared<ModelOracle>(live_.cluster, *steps_, run_.campaign.models, jobs,
                                         cell_.settings->learning);
  }

  [[nodiscard]] ProvenanceFacts facts() const override { return live_facts(run_.world, live_); }
  [[nodiscard]] std::vector<results::LaterAttribute> later_facts() const override {
    return facts_of_workers(live_);
  }

  void execute(scheduler::Scheduler& scheduler, results::Recorder& recorder) override {
    recorder.flush();
    const CheckpointFolder checkpoints(live_.checkpoint_dir);  // ours, as the recorder has the cell
    run_jobs(scheduler, recorder);
  }

 private:
  /// Without a daemon, CUDA programs silently run without MPS. The results therefore record its
  /// state.
  void record_mps(const std::string& state, results::Recorder& recorder) const {
    const bool active = state == "active";
    recorder.set_attribute("mps_active", active ? "true" : "false");
    if (active || live_.engine.cuda.sharing != CudaConfig::Sharing::mps) return;
    log::warn("{}: engine.cuda.sharing is mps, but MPS is {}", cell_.id, state);
  }

  /// Records which rank runs what, as reported by the workers.
  void record_world(const LiveEngine& engine, results::Recorder& recorder) const {
    for (auto& row : run_.world.rows(live_.cluster.shape)) {
      row.device = engine.devices().names()[static_cast<std::size_t>(row.rank)];
      recorder.add(row);
    }
    if (!live_.engine.on_cuda()) return;
    recorder.set_attribute("cuda_gpus_per_device",
                           std::to_string(engine.devices().gpus_per_device()));
    record_mps(engine.devices().mps(), recorder);
    if (!engine.devices().samples_missing().empty()) {
      recorder.set_attribute(
          "device_samples_missing",
          fmt::format("{}", fmt::join(engine.devices().samples_missing(), "; ")));
    }
    if (engine.devices().gpus_per_device() == 1) return;
    log::warn(
        "{}: one CUDA device stands for {} GPUs of the cluster: the run is functional only, its "
        "times are not those of a cluster",
        cell_.id, engine.devices().gpus_per_device());
  }

  /// Records how long the clock waited for the host. This is the price of results that do not
  /// depend on how busy the host is.
  void record_clock(const LiveEngine& engine, results::Recorder& recorder) const {
    if (!live_.paced()) return;
    const double wall = to_seconds(engine.wall_since_begin());
    recorder.set_attribute("time_scale_reached", to_seconds(engine.now()) / std::max(wall, 1e-9));
    if (live_.engine.clock == EngineConfig::Clock::unbound) return;
    const double held = to_seconds(engine.clock_held());
    recorder.set_attribute("clock_held_seconds", held);
    constexpr double kWorthSaying = 0.5;
    if (held <= kWorthSaying * wall) return;
    log::info(
        "{}: the clock waited for the host for {:.0f} s of {:.0f} s; this does not affect the "
        "results",
        cell_.label, held, wall);
  }

  /// None of real devices, whose energy is measured.
  [[nodiscard]] std::vector<std::optional<kernels::PowerDraw>> emulated_draws() const {
    if (live_.engine.on_cuda()) return {};
    return live_.cluster.draws();
  }

  void run_jobs(scheduler::Scheduler& scheduler, results::Recorder& recorder) {
    DeviceRecord devices(recorder, live_.cluster.shape, live_.engine.collective);
    LiveEngine engine(run_.world, run_.mailbox, live_, index_, devices);
    record_world(engine, recorder);
    Testbed testbed(*jobs_, truths_, scheduler, engine, recorder,
                    {.round = live_.engine.round,
                     .seed = cell_.seed,
                     .learning = cell_.settings->learning,
                     .gradients = {cell_.settings->gradient_noise, cell_.seed},
                     .jobs_at_once = cell_.settings->jobs_at_once,
                     .draws = emulated_draws(),
                     .prices = live_.cluster.prices(),
                     .mix = recorded_mix(cell_, *cell_.settings, run_.campaign.models),
                     .checkpoint_every = cell_.settings->checkpoint_every,
                     .data = data_paths(live_.cluster, *steps_)});
    try {
      engine.begin_clock();
      ProgressLine line(cell_.label, "x" + time_scale_text(live_.engine),
                        run_.options.verbosity < 0);
      testbed.run([&line](const RunProgress& progress) { line.show(progress); });
      engine.collect_samples(std::chrono::seconds{1});
      devices.finish();
      recorder.set_attribute("wall_seconds", to_seconds(engine.wall_since_begin()));
      record_clock(engine, recorder);
      record_interference(engine, testbed.log().co_location(), run_.baselines,
                          baseline_scope(run_.world, live_, engine),
                          {live_.cluster.shape, engine.lost_gpus()}, recorder);
      record_losses(engine, recorder);
    } catch (const InterruptedError&) {
      record_losses(engine, recorder);
      run_.workers_stuck = !engine.wind_down(std::chrono::seconds{3});
      throw;
    }
    engine.end_cell();
  }

  /// Includes ranks that had died before the cell began.
  void record_losses(const LiveEngine& engine, results::Recorder& recorder) const {
    if (!survives_losses(live_.engine)) return;
    std::vector<std::string> what;
    for (const auto& [rank, how] : run_.mailbox.lost()) what.push_back(how);
    recorder.set_attribute("gpus_lost", static_cast<double>(engine.lost_gpus().size()));
    recorder.set_attribute("ranks_lost", fmt::format("{}", fmt::join(what, "; ")));
  }

  CampaignRun& run_;
  int index_;
  const Cell& cell_;
  LiveCell live_;
  std::unique_ptr<workloads::JobStream> jobs_;
  JobTruths truths_;
  std::unique_ptr<StepTimeModel> steps_;  ///< for the oracle
};

/// A host that cannot keep up makes emulated devices slower than stated. The user is told so.
void warn_if_late(const std::string& path) {
  const auto summary = results::summarise(path, results::MeasuredWindow{});
  if (!summary.is_late()) return;
  log::warn(
      "{}: the host could not keep the pace for {:.1f} % of the step time; lower "
      "engine.time_scale or engine.host_load, or use fewer GPUs",
      summary.label, 100.0 * summary.value("late_share"));
}

}  // namespace

WorldShape world_shape(const Campaign& campaign) {
  WorldShape world;
  for (const Cell& cell : campaign.cells) {
    const CellConfig& config = *cell.settings;
    if (config.engine.kind != EngineConfig::Kind::live) continue;
    const auto& cluster = config.cluster.shape;
    if (cluster.gpus() > world.gpus) world.gpus_per_node = cluster.gpus_per_node;
    world.gpus = std::max(world.gpus, cluster.gpus());
    world.nodes = std::max(world.nodes, cluster.nodes);
    world.lanes_per_gpu = std::max(world.lanes_per_gpu, cluster.lanes_per_gpu);
  }
  return world;
}

LiveCell live_cell(const Campaign& campaign, int index, const WorldShape& world) {
  const Cell& cell = campaign.cells.at(static_cast<std::size_t>(index));
  const CellConfig& config = *cell.settings;
  LiveCell live;
  live.seed = cell.seed;
  live.cluster = config.cluster;
  live.cluster.shape.lanes_per_gpu = world.lanes_per_gpu;
  live.engine = config.engine;
  live.models = &campaign.models;
  live.report_every = report_interval(config);
  if (live.report_every == Duration::zero()) live.report_every.reset();
  return live;
}

void run_cell(CampaignRun& run, int index) {
  const Cell& cell = run.campaign.cells[static_cast<std::size_t>(index)];
  LiveCellRun engine(run, index);
  warn_if_late(execute_cell({run.campaign, run.options, run.output_dir, cell}, engine));
}

}  // namespace mimus::emulator
