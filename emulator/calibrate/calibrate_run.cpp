// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/calibrate/calibrate_run.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/log.hpp"
#include "base/quantity_text.hpp"
#include "emulator/calibrate/calibrate_devices.hpp"
#include "emulator/calibrate/calibrate_links.hpp"
#include "emulator/calibrate/calibrate_profile.hpp"
#include "emulator/calibrate/calibrate_text.hpp"
#include "emulator/live/engine/live_engine.hpp"
#include "emulator/live/world/world_end.hpp"
#include "emulator/run/live_facts.hpp"
#include "emulator/run/provenance.hpp"
#include "emulator/run/status_line.hpp"

namespace mimus::emulator {
namespace {

/// The largest work that any of the models asks of a core per second of device time.
double work_scale_for(const LiveWorld& world, const LiveCell& cell, const CalibrationSetup& setup) {
  double most = 0.0;
  for (const SoloPoint& point : setup.plan.alone) {
    const auto plan = footprint(point, setup.bed);
    most = std::max(most, world.rates().cpu_seconds_per_device_second(plan));
  }
  return kernels::choose_work_scale(most, cell.engine.time_scale, world.gpus_on_fullest_host(),
                                    world.cores_of_fullest_host(), cell.engine.host_load);
}

Attempt attempt_on(const workloads::Model& model, std::int64_t batch,
                   std::vector<scheduler::Slot> slots) {
  Attempt attempt;
  attempt.model = &model;
  attempt.batch = {.per_gpu = batch, .accumulation = 1};
  attempt.allocation.slots = std::move(slots);
  return attempt;
}

/// Rank 0: writes one measurement after another to the profile.
class Calibration {
 public:
  Calibration(const CalibrateOptions& options, const CalibrationSetup& setup,
              const LiveWorld& world, std::unique_ptr<MpsSession>& mps)
      : options_(options),
        setup_(setup),
        world_(world),
        mps_(mps),
        live_(live_cell(setup.bed)),
        mailbox_(world.mpi()),
        line_(options.verbosity < 0) {
    live_.work_scale = live_.engine.on_cuda() ? std::max(1.0, live_.engine.time_scale)
                                              : work_scale_for(world, live_, setup);
  }

  /// Also ends the workers, whatever happens, unless they failed themselves.
  ExitCode run() {
    log::info("{}", plan_text(setup_.plan, setup_.bed, options_));
    for (const std::string& note : setup_.plan.notes) log::warn("left out: {}", note);
    GrowingProfile profile(options_, setup_.bed, provenance(), rank_rows());
    const ExitCode code = measure(profile);
    if (workers_stuck_ || !dismiss_workers(world_, mailbox_, code, live_.engine.stage_timeout)) {
      mps_.reset();  // aborting runs no destructors
      world_.abort(static_cast<int>(code));
    }
    return code;
  }

 private:
  [[nodiscard]] std::vector<results::RankRow> rank_rows() const {
    auto rows = world_.rows(setup_.bed.cluster.shape);
    for (auto& row : rows) {
      if (row.gpu < 0) continue;
      row.device = live_.paced() ? "emulated " + live_.cluster.gpu.name : live_.engine.device;
    }
    return rows;
  }

  [[nodiscard]] results::Provenance provenance() const {
    results::Provenance out;
    out.attributes = program_facts();
    for (const auto& [name, value] : live_facts(world_, live_)) out.attributes[name] = value;
    for (const auto& [name, value] : calibration_settings(setup_.bed, options_)) {
      out.attributes[name] = value;
    }
    for (const std::string& name : setup_.bed.models.names()) {
      out.attributes[fingerprint_attribute(name)] = fingerprint_text(setup_.bed.models.at(name));
    }
    if (live_.engine.on_cuda()) out.later = {{"mps_active", std::string_view("false").size()}};
    out.resolved_config = to_yaml(setup_.bed.config);
    out.command_line = fmt::format("{}", fmt::join(options_.command_line, " "));
    return out;
  }

  ExitCode measure(GrowingProfile& profile) {
    try {
      engine_loop(profile);
    } catch (const InterruptedError& stopped) {
      profile.set_status("interrupted", stopped.what());
      log::warn("{}", stopped.what());
      return ExitCode::interrupted;
    } catch (const WorkerLostError& lost) {
      profile.set_status("interrupted", lost.what());
      throw;
    } catch (const std::exception& error) {
      profile.set_status("failed", error.what());
      throw;
    }
    if (failed_ > 0) {
      const auto what = fmt::format("{} measurements failed", failed_);
      profile.set_status("failed", what);
      log::error("{}; {}.part holds the others", what, options_.output);
      return ExitCode::run_failed;
    }
    profile.complete();
    if (late_ > 0) {
      log::warn(
          "in {} measurements the host could not keep the pace for over 1 % of the step time "
          "(column late); lower engine.time_scale or engine.host_load, or run nothing else on the "
          "host",
          late_);
    }
    return ExitCode::ok;
  }

  void engine_loop(GrowingProfile& profile) {
    LiveEngine engine(world_, mailbox_, live_, 0, devices_);
    warn_of(engine);
    if (live_.engine.on_cuda()) {
      profile.set_text("mps_active", engine.devices().mps() == "active" ? "true" : "false");
    }
    const MeasurementLimits limits{
        .steps = options_.limits,
        .timeout = live_.emulated(options_.timeout),
        .least = live_.engine.on_cuda() ? live_.emulated(kActivitySpan) : Duration{}};
    Measurement measurement(engine, limits, [&](std::int64_t steps) {
      if (steps > 0) devices_.count_from(engine.now() + live_.emulated(kActivityInterval));
      show(fmt::format("{} steps", steps));
    });
    warn_of_host_links();
    for (const LinkPoint& point : setup_.plan.links) measure(point, engine, profile);
    engine.begin_clock();
    try {
      for (const SoloPoint& point : setup_.plan.alone) measure(point, measurement, profile);
      for (const PairPoint& pair : setup_.plan.pairs) measure(pair, measurement, profile);
    } catch (const InterruptedError&) {
      workers_stuck_ = !engine.wind_down(std::chrono::seconds{3});
      throw;
    }
    engine.end_cell();
  }

  void warn_of(const LiveEngine& engine) const {
    const bool on_mps =
        live_.engine.on_cuda() && live_.engine.cuda.sharing == CudaConfig::Sharing::mps;
    if (on_mps && engine.devices().mps() != "active") {
      log::warn("engine.cuda.sharing is mps, but MPS is {}", engine.devices().mps());
    }
    if (engine.devices().gpus_per_device() == 1) return;
    log::warn("one CUDA device stands for {} GPUs: times are not those of a cluster",
              engine.devices().gpus_per_device());
  }

  void warn_of_host_links() const {
    if (setup_.plan.links.empty() || live_.engine.on_cuda()) return;
    log::warn(
        "device cpu: the measured links are those of MPI on {}, at full speed, not those of an "
        "emulated {}",
        fmt::join(hosts_of_workers(), ", "), live_.cluster.gpu.name);
  }

  [[nodiscard]] std::set<std::string> hosts_of_workers() const {
    const auto hosts = world_.hosts();
    return {hosts.begin() + 1, hosts.end()};
  }

  void measure(const LinkPoint& point, LiveEngine& engine, GrowingProfile& profile) {
    begin(title_of(point));
    auto sizes = link_sizes(live_.engine);
    std::erase_if(sizes, [&](std::int64_t size) { return profile.has(key_row(point, size)); });
    if (sizes.empty()) return;
    std::int64_t measured = 0;
    measure_links(point, sizes, setup_.bed, world_, mailbox_, engine, [&](const auto& row) {
      profile.add(row);
      show(fmt::format("{} of {} sizes", ++measured, sizes.size()));
    });
  }

  void measure(const SoloPoint& point, Measurement& measurement, GrowingProfile& profile) {
    begin(title_of(point));
    if (profile.find(key_row(point, setup_.bed)) != nullptr) return;
    const auto slots = slots_of(setup_.bed.cluster.shape, point.shape);
    devices_.restart();
    auto measured = measurement.measure({attempt_on(*point.model, point.batch, slots)});
    if (!succeeded(measured)) return;
    measured.front().reading = devices_.mean();
    profile.add(row_of(point, measured.front(), setup_.bed));
    if (measured.front().late > 0.01 * measured.front().step.mean) ++late_;
  }

  void measure(const PairPoint& pair, Measurement& measurement, GrowingProfile& profile) {
    begin(title_of(pair));
    if (profile.has(pair)) return;
    const auto* first = profile.find(key_row({pair.first, {1}, pair.first_batch}, setup_.bed));
    const auto* second = profile.find(key_row({pair.second, {1}, pair.second_batch}, setup_.bed));
    if (first == nullptr || second == nullptr) return;  // its failure alone has been reported
    const auto& cluster = setup_.bed.cluster.shape;
    const GpuId gpu{0};
    const auto shared = measurement.measure(
        {attempt_on(*pair.first, pair.first_batch, {{gpu, cluster.lane_of(gpu, 0)}}),
         attempt_on(*pair.second, pair.second_batch, {{gpu, cluster.lane_of(gpu, 1)}})});
    if (succeeded(shared)) profile.add(rows_of(pair, shared, *first, *second));
  }

  bool succeeded(const std::vector<Measured>& measured) {
    const std::string& failure = measured.front().failure;
    if (failure.empty()) return true;
    log::warn("{}: not measured: {}", title_, failure);
    ++failed_;
    return false;
  }

  void begin(std::string title) {
    title_ = std::move(title);
    ++number_;
  }

  void show(const std::string& progress) {
    if (!line_.due()) return;
    const CalibrationPlan& plan = setup_.plan;
    const std::size_t all = plan.links.size() + plan.alone.size() + plan.pairs.size();
    line_.show(fmt::format("{}/{}: {}, {}, {} so far", number_, all, title_, progress,
                           format_duration(line_.elapsed())));
  }

  const CalibrateOptions& options_;
  const CalibrationSetup& setup_;
  const LiveWorld& world_;
  std::unique_ptr<MpsSession>& mps_;
  CalibrationDevices devices_;
  LiveCell live_;
  Mailbox mailbox_;
  StatusLine line_;
  std::string title_;
  std::size_t number_ = 0;
  int failed_ = 0;
  int late_ = 0;  ///< measurements in which the host fell behind
  bool workers_stuck_ = false;
};

}  // namespace

ExitCode calibrate_in(const LiveWorld& world, const CalibrateOptions& options,
                      const CalibrationSetup& setup, std::unique_ptr<MpsSession>& mps) {
  return Calibration(options, setup, world, mps).run();
}

}  // namespace mimus::emulator
