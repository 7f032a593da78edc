// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/calibrate/calibrate.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/log.hpp"
#include "base/quantity_text.hpp"
#include "emulator/calibrate/calibrate_links.hpp"
#include "emulator/calibrate/calibrate_profile.hpp"
#include "emulator/calibrate/calibrate_run.hpp"
#include "emulator/calibrate/calibrate_text.hpp"
#include "emulator/live/launch/launcher.hpp"
#include "emulator/live/worker/worker.hpp"
#include "emulator/live/world/mps_session.hpp"
#include "emulator/stop_signal.hpp"
#include "kernels/cuda/backend/cuda_backend.hpp"

namespace mimus::emulator {
namespace {

/// --precision stands for a key that only device cuda reads.
void check_precision(const CalibrateOptions& options, const EngineConfig& engine) {
  if (engine.on_cuda() || options.precision == "model") return;
  throw UsageError(
      fmt::format("--precision {}: device {} runs every model in its own precision; "
                  "leave it out or say model",
                  options.precision, engine.device));
}

CalibrationSetup set_up(const CalibrateOptions& options) {
  CalibrationSetup out;
  out.bed = read_bed(options.campaign_path, options.overrides);
  check_precision(options, out.bed.engine);
  std::vector<LinkPoint> links;
  if (options.links) links = link_points(options.shapes, out.bed.cluster.shape);
  if (options.links && links.empty()) {
    throw UsageError("--links: one GPU has no link to another; try --set cluster.gpus_per_node=2");
  }
  auto shapes = options.shapes;
  for (const LinkPoint& point : links) shapes.push_back(point.shape);
  fit_cluster(out.bed.cluster, shapes, options.pairs ? 2 : 1);
  out.plan = plan_calibration(options, out.bed);
  out.plan.links = std::move(links);
  return out;
}

int run_in_world(const CalibrateOptions& options, const CalibrationSetup& setup) {
  // Destroyed after MPI: the daemon waits for its clients, which end once all ranks have left MPI.
  std::unique_ptr<MpsSession> mps;
  const MpiWorld mpi;
  std::unique_ptr<LiveWorld> world;
  try {
    world = std::make_unique<LiveWorld>(mpi, world_shape(setup.bed));
    mps = std::make_unique<MpsSession>(
        *world, setup.bed.engine.on_cuda() ? std::optional(setup.bed.engine.cuda) : std::nullopt);
  } catch (const Error& error) {  // every rank gets the same error; one reports it
    if (mpi.rank() == 0) log::error("{}", error.what());
    return static_cast<int>(error.exit_code());
  }
  if (mpi.rank() != 0) {
    return run_worker(*world, [&](int) { return live_cell(setup.bed); }).exit_code;
  }
  tell_world_is_formed();
  install_stop_handlers();
  try {
    const ExitCode code = calibrate_in(*world, options, setup, mps);
    if (code == ExitCode::ok) options.report(options.output);
    return static_cast<int>(code);
  } catch (const Error& error) {
    log::error("{}", error.what());
    mps.reset();  // aborting runs no destructors
    world->abort(static_cast<int>(error.exit_code()));
  } catch (const std::exception& error) {
    log::error("{}", error.what());
    mps.reset();
    world->abort(static_cast<int>(ExitCode::internal));
  }
}

void check_campaign_file(const CalibrateOptions& options) {
  if (options.campaign_path.empty() || std::filesystem::is_regular_file(options.campaign_path)) {
    return;
  }
  throw UsageError(
      fmt::format("{}: every rank of a calibration reads the campaign, so it must be "
                  "a file, not a pipe; save it and name the file",
                  options.campaign_path));
}

int calibrate_or_launch(const CalibrateOptions& options) {
  const CalibrationSetup setup = set_up(options);
  const bool speaks = MpiWorld::launched_rank() == 0;
  if (options.dry_run) {
    fmt::print("{}\n", plan_text(setup.plan, setup.bed, options));
    for (const LinkPoint& point : setup.plan.links) fmt::print("{}\n", title_of(point));
    for (const SoloPoint& point : setup.plan.alone) fmt::print("{}\n", title_of(point));
    for (const PairPoint& pair : setup.plan.pairs) fmt::print("{}\n", title_of(pair));
    for (const std::string& note : setup.plan.notes) fmt::print("left out: {}\n", note);
    return 0;
  }
  if (is_complete(options, setup.plan, setup.bed)) {
    if (speaks) log::info("{}: complete; every measurement is there", options.output);
    if (speaks) options.report(options.output);
    return 0;
  }
  if (MpiWorld::launched()) return run_in_world(options, setup);
  if (setup.bed.engine.on_cuda() && !kernels::has_cuda_backend()) {
    (void)kernels::cuda_backend();  // the error says how to get the module
  }
  check_campaign_file(options);
  check_unfinished(options, setup.bed);
  return launch_world(
      {.ranks = world_shape(setup.bed).ranks(), .extra_arguments = options.mpirun_args},
      options.command_line);
}

}  // namespace

int run_calibration(const CalibrateOptions& options) {
  return calibrate_or_launch(options);
}

}  // namespace mimus::emulator
