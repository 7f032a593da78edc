// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/run/twin.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "emulator/campaign/campaign.hpp"
#include "emulator/run/cell_run.hpp"
#include "emulator/sharing/pairs_law.hpp"
#include "results/file/reader.hpp"
#include "results/summary/summary.hpp"

namespace mimus::emulator {
namespace {

std::string folder_of(const Campaign& campaign, const RunOptions& options) {
  return options.output_dir.empty() ? "mimus-results/" + campaign.name + "-twin"
                                    : options.output_dir;
}

/// The command that runs one side. The side starts its own mpirun.
std::vector<std::string> command_of(const RunOptions& options) {
  std::vector<std::string> command{options.command_line.front(), "run", options.campaign_path};
  for (const Override& setting : options.overrides) {
    command.insert(command.end(), {"--set", setting.path + "=" + setting.value});
  }
  command.insert(command.end(), {"-o", options.output_dir});
  command.insert(command.end(), {"--rerun", options.rerun == Rerun::all ? "all" : "failed"});
  if (!options.summary) command.emplace_back("--no-summary");
  if (options.verbosity < 0) command.emplace_back("-q");
  return command;
}

void run_side(RunOptions options) {
  options.command_line = command_of(options);
  const int code = run_campaign(options);
  if (code != 0) {
    throw Error(static_cast<ExitCode>(code),
                "the campaign did not run to its end; run the same command again to continue with "
                "the unfinished cells");
  }
}

/// `mimus twin` prints only the comparison. `mimus summary` shows each side.
RunOptions live_side(RunOptions options, const std::string& folder) {
  options.overrides.push_back({"engine.kind", "live"});
  options.output_dir = folder + "/live";
  options.summary = false;
  return options;
}

/// Tenants of emulated devices share them as the law of a virtual run says. The effects of physical
/// devices on tenants were measured.
bool follows_law(const Cell& cell) {
  const EngineConfig& engine = cell.settings->engine;
  return !engine.on_cuda() && engine.pace == EngineConfig::Pace::datasheet;
}

/// Start-up times by model as YAML, the mean over the first attempts of its jobs. Those of an
/// emulated device are as stated; a real one takes longer where it tries algorithms, beside a
/// tenant more so.
std::string measured_starts(const results::Reader& live) {
  struct Sum {
    double seconds = 0.0;
    int attempts = 0;
  };
  std::map<std::int64_t, results::AttemptRow> first;
  for (const auto& row : live.rows<results::AttemptRow>()) {
    if (row.first_step >= 0.0) first.try_emplace(row.job, row);
  }
  std::map<std::string, Sum> by_model;
  for (const auto& job : live.rows<results::JobRow>()) {
    const auto attempt = first.find(job.job);
    if (attempt == first.end()) continue;
    Sum& sum = by_model[job.model];
    sum.seconds += attempt->second.first_step - attempt->second.begin;
    ++sum.attempts;
  }
  std::string text;
  for (const auto& [model, sum] : by_model) {
    text +=
        fmt::format("{}{}: {:.6f} s", text.empty() ? "" : ", ", model, sum.seconds / sum.attempts);
  }
  return "{" + text + "}";
}

/// What the live twin was measured to do, in place of what is modelled. Without measured slowdowns
/// of tenants, they are those of time slices.
void take_measurements(RunOptions& options, const std::string& profile, bool same_law) {
  const bool pairs = !same_law && holds_pairs(results::Reader(profile));
  options.overrides.push_back(
      {"engine.step_time",
       fmt::format("{{name: measured, profile: \"{}\", otherwise: analytic, hosts: {}}}", profile,
                   pairs ? "alone" : "always")});
  if (same_law) return;
  options.overrides.push_back(
      {"engine.interference",
       pairs ? fmt::format("{{name: pairs, profile: \"{}\", otherwise: slices}}", profile)
             : "slices"});
}

/// One virtual cell that is driven by the measurements of its live twin. The virtual run may take
/// another course. What was never measured is then modelled and scaled like the nearest
/// measurements. All steps are modelled on groups of nodes, because measurements do not distinguish
/// GPU types, and where data sets are read through links, because measured steps and slowdowns
/// would contain the waits for samples.
RunOptions virtual_side(RunOptions options, const std::string& folder, const std::string& profile,
                        const Cell& cell) {
  options.overrides.push_back({"engine.kind", "virtual"});
  const ClusterConfig& cluster = cell.settings->cluster;
  if (cluster.shape.groups != nullptr || cluster.data.is_stated()) {
    options.overrides.push_back({"engine.step_time", "analytic"});
  } else {
    take_measurements(options, profile, follows_law(cell));
  }
  if (const results::Reader live(profile); live.attribute("pace") == "none") {
    options.overrides.push_back({"engine.costs.start_of", measured_starts(live)});
  }
  options.overrides.push_back({"record", "full"});
  options.output_dir = folder + "/virtual";
  options.jobs = 1;
  options.summary = false;
  return options;
}

/// The virtual campaign's counterpart of a live cell. The values in `replaced` may have been swept.
/// Then there are fewer virtual cells.
const Cell& counterpart(const Cell& live, const Campaign& modelled,
                        const std::vector<Override>& replaced) {
  const auto agrees = [&](const std::pair<std::string, std::string>& value) {
    const auto sets_it = [&](const Override& one) { return one.path == value.first; };
    return std::any_of(replaced.begin(), replaced.end(), sets_it) ||
           std::find(live.swept.begin(), live.swept.end(), value) != live.swept.end();
  };
  const auto found =
      std::find_if(modelled.cells.begin(), modelled.cells.end(), [&](const Cell& cell) {
        return cell.repetition == live.repetition &&
               std::all_of(cell.swept.begin(), cell.swept.end(), agrees);
      });
  ensure(found != modelled.cells.end(), "a live cell has no virtual counterpart");
  return *found;
}

double relative(double value, double truth) {
  return truth > 0.0 ? value / truth - 1.0 : 0.0;
}

TwinCell compare(const std::string& live_path, const std::string& virtual_path) {
  const results::MeasuredWindow whole;
  const auto live = results::summarise(live_path, whole);
  const auto twin = results::summarise(virtual_path, whole);
  TwinCell out;
  out.label = live.label;
  out.makespan_error = relative(twin.value("makespan"), live.value("makespan"));
  out.live_late_share = live.value("late_share");
  std::map<std::int64_t, double> virtual_jct;
  for (const auto& job : results::Reader(virtual_path).rows<results::JobRow>()) {
    if (job.outcome == "finished") virtual_jct[job.job] = job.jct;
  }
  for (const auto& job : results::Reader(live_path).rows<results::JobRow>()) {
    const auto found = virtual_jct.find(job.job);
    if (job.outcome != "finished" || found == virtual_jct.end()) continue;
    ++out.jobs;
    out.live_jct_mean += job.jct;
    out.virtual_jct_mean += found->second;
    const double error = std::abs(relative(found->second, job.jct));
    out.jct_error_mean += error;
    if (error < out.jct_error_worst) continue;
    out.jct_error_worst = error;
    out.worst_job = job.name;
  }
  const double count = static_cast<double>(std::max<std::int64_t>(1, out.jobs));
  out.live_jct_mean /= count;
  out.virtual_jct_mean /= count;
  out.jct_error_mean /= count;
  out.jct_mean_error = relative(out.virtual_jct_mean, out.live_jct_mean);
  return out;
}

}  // namespace

std::vector<TwinCell> run_twin(const RunOptions& options) {
  const Campaign named = load_campaign(options.campaign_path, options.overrides);
  const std::string folder = folder_of(named, options);
  const RunOptions live = live_side(options, folder);
  run_side(live);
  const Campaign measured = load_campaign(live.campaign_path, live.overrides);
  std::vector<TwinCell> out;
  for (std::size_t i = 0; i < measured.cells.size(); ++i) {
    const std::string profile = result_path(live.output_dir, measured.cells[i]);
    RunOptions other = virtual_side(options, folder, profile, measured.cells[i]);
    const Campaign modelled = load_campaign(other.campaign_path, other.overrides);
    const Cell& cell = counterpart(measured.cells[i], modelled, other.overrides);
    other.only_cells = {cell.id};
    run_side(other);
    out.push_back(compare(profile, result_path(other.output_dir, cell)));
  }
  return out;
}

}  // namespace mimus::emulator
