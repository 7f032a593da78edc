// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/calibrate/calibrate_profile.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "base/log.hpp"
#include "emulator/calibrate/calibrate_links.hpp"
#include "emulator/live/lane/tenant_pace.hpp"
#include "emulator/run/cuda_settings.hpp"
#include "emulator/run/live_facts.hpp"
#include "emulator/run/provenance.hpp"
#include "kernels/plan/launch_plan.hpp"
#include "results/file/file_lock.hpp"

namespace mimus::emulator {
namespace {

bool holds(const results::ProfileContent& content, const results::ProfileRow& key) {
  return std::any_of(content.rows.begin(), content.rows.end(),
                     [&](const auto& row) { return same_point(row, key); });
}

bool holds(const results::ProfileContent& content, const PairPoint& pair) {
  const auto keys = key_rows(pair);
  return std::all_of(keys.begin(), keys.end(), [&](const auto& key) {
    return std::any_of(content.pairs.begin(), content.pairs.end(),
                       [&](const auto& row) { return same_point(row, key); });
  });
}

bool holds(const results::ProfileContent& content, const results::ProfileLinkRow& key) {
  return std::any_of(content.links.begin(), content.links.end(),
                     [&](const auto& row) { return same_point(row, key); });
}

std::size_t missing(const results::ProfileContent& content, const CalibrationPlan& plan,
                    const CalibrationBed& bed) {
  std::size_t count = 0;
  for (const SoloPoint& point : plan.alone) count += holds(content, key_row(point, bed)) ? 0U : 1U;
  for (const PairPoint& pair : plan.pairs) count += holds(content, pair) ? 0U : 1U;
  for (const LinkPoint& point : plan.links) {
    for (const std::int64_t size : link_sizes(bed.engine)) {
      count += holds(content, key_row(point, size)) ? 0U : 1U;
    }
  }
  return count;
}

Interval interval_of(const results::ProfileRow& row) {
  return {.mean = row.step_mean,
          .half_width = (row.step_high - row.step_low) / 2.0,
          .sd = row.step_sd,
          .samples = row.steps};
}

void fill(results::ProfilePairRow& row, const Measured& shared, const results::ProfileRow& solo) {
  const RatioInterval slowdown = slowdown_interval(shared.step, interval_of(solo));
  row.steps = shared.steps;
  row.step_shared = shared.step.mean;
  row.step_solo = solo.step_mean;
  row.slowdown = slowdown.value;
  row.slowdown_low = slowdown.low;
  row.slowdown_high = slowdown.high;
  row.converged = shared.converged && solo.converged != 0 ? 1 : 0;
}

/// The mean of two equal tenants. Their steps are not independent, so the interval does not shrink.
Measured mean_of(const Measured& a, const Measured& b) {
  Measured out = a;
  out.step.mean = (a.step.mean + b.step.mean) / 2.0;
  out.step.half_width = (a.step.half_width + b.step.half_width) / 2.0;
  out.steps = a.steps + b.steps;
  out.converged = a.converged && b.converged;
  return out;
}

/// The content of an unfinished file, which is continued.
results::ProfileContent kept_of(const CalibrateOptions& options, const CalibrationBed& bed) {
  const std::string part = options.output + ".part";
  if (!std::filesystem::exists(part)) return {};
  auto content = results::read_profile_file(part);
  check_same_settings(part, content, calibration_settings(bed, options));
  drop_changed_models(content, bed.models);
  log::info("{}: {} steps, {} slowdowns and {} all-reduces are measured already", part,
            content.rows.size(), content.pairs.size(), content.links.size());
  return content;
}

}  // namespace

std::map<std::string, std::string> calibration_settings(const CalibrationBed& bed,
                                                        const CalibrateOptions& options) {
  const auto& engine = bed.engine;
  const auto& cluster = bed.cluster;
  const bool paced = engine.pace == EngineConfig::Pace::datasheet;
  std::map<std::string, std::string> out{
      {"calibration.host", host_name()},
      {"calibration.device", engine.device},
      {"calibration.collective", engine.collective},
      {"calibration.precision", "model"},
      {"calibration.gpu", cluster.shape.gpu_type},
      {"calibration.pace", paced ? "datasheet" : "none"},
      {"calibration.time_scale", time_scale_text(engine)},
      {"calibration.min_step_s", fmt::format("{:g}", to_seconds(engine.min_step_wall))},
      {"calibration.host_load", fmt::format("{:g}", engine.host_load)},
      {"calibration.links", links_text(cluster)},
      {"calibration.interference", sharing_mode(live_cell(bed))},
      {"calibration.interval", fmt::format("{:g}", options.limits.interval)},
      {"calibration.warm_up", std::to_string(options.limits.warm_up)},
      {"calibration.min_steps", std::to_string(options.limits.min_steps)},
      {"calibration.max_steps", std::to_string(options.limits.max_steps)},
      {"calibration.timeout_s", fmt::format("{:g}", to_seconds(options.timeout))}};
  if (!engine.on_cuda()) return out;
  for (const auto& [name, value] : cuda_settings(engine.cuda, bed.cluster.gpu)) {
    out["calibration." + name] = value;
  }
  return out;
}

std::string fingerprint_attribute(const std::string& model) {
  return "fingerprint." + model;
}

std::string fingerprint_text(const workloads::Model& model) {
  return fmt::format("{:016x}", model.fingerprint());
}

void drop_changed_models(results::ProfileContent& content,
                         const workloads::ModelCatalogue& models) {
  const auto changed = [&](const std::string& name) {
    const workloads::Model* model = models.find(name);
    return model == nullptr ||
           content.attributes[fingerprint_attribute(name)] != fingerprint_text(*model);
  };
  std::erase_if(content.rows, [&](const auto& row) { return changed(row.model); });
  std::erase_if(content.pairs,
                [&](const auto& row) { return changed(row.model) || changed(row.co_model); });
}

void check_same_settings(const std::string& path, const results::ProfileContent& content,
                         const std::map<std::string, std::string>& settings) {
  for (const auto& [name, now] : settings) {
    const auto found = content.attributes.find(name);
    const std::string setting = name.substr(name.find('.') + 1);
    if (found == content.attributes.end()) {
      throw UsageError(
          fmt::format("{} does not say with which {} it was measured (an older version wrote it), "
                      "now it is {}; remove it or write another file (-o)",
                      path, setting, now));
    }
    if (found->second == now) continue;
    throw UsageError(
        fmt::format("{} was measured with another {}: {}, now it is {}; remove it or "
                    "write another file (-o)",
                    path, setting, found->second, now));
  }
}

bool is_complete(const CalibrateOptions& options, const CalibrationPlan& plan,
                 const CalibrationBed& bed) {
  if (!std::filesystem::exists(options.output)) return false;
  auto content = results::read_profile_file(options.output);
  check_same_settings(options.output, content, calibration_settings(bed, options));
  drop_changed_models(content, bed.models);
  const std::size_t absent = missing(content, plan, bed);
  if (absent == 0) return true;
  throw UsageError(
      fmt::format("{} is complete and lacks {} of the requested measurements; a complete file is "
                  "not changed: remove it or write another one (-o)",
                  options.output, absent));
}

void check_unfinished(const CalibrateOptions& options, const CalibrationBed& bed) {
  const std::string part = options.output + ".part";
  if (!std::filesystem::exists(part)) return;
  if (results::is_being_written(part)) {
    throw results::TakenError(part,
                              "is being written by another process; wait for it, stop it, "
                              "or write another file (-o)");
  }
  check_same_settings(part, results::read_profile_file(part), calibration_settings(bed, options));
}

results::ProfileRow row_of(const SoloPoint& point, const Measured& measured,
                           const CalibrationBed& bed) {
  results::ProfileRow row = key_row(point, bed);
  const DeviceReading& reading = measured.reading;
  row.steps = measured.steps;
  row.converged = measured.converged ? 1 : 0;
  row.step_mean = measured.step.mean;
  row.step_low = measured.step.low();
  row.step_high = measured.step.high();
  row.step_sd = measured.step.sd;
  row.step_modelled = measured.modelled;
  row.exposed_communication = measured.exposed_communication;
  // If a device does not time its all-reduces, a step waits for nothing but buckets.
  row.sync = reading.sync >= 0.0 ? reading.sync : measured.exposed_communication;
  row.device_busy = measured.device_busy;
  row.memory_peak =
      reading.memory_peak >= 0.0 ? reading.memory_peak : footprint(point, bed).memory.value;
  row.kernels = reading.kernels;
  if (bed.engine.on_cuda() && row.kernels < 0.0) {  // the number of launches is that of the plan
    const auto launches = kernels::make_launch_plan(
        *point.model, {.per_gpu_batch = point.batch, .replicas = static_cast<int>(row.replicas)},
        bed.engine.cuda.launches);
    row.kernels = static_cast<double>(launches.launches());
  }
  row.sm_activity = reading.sm_activity;
  row.dram_activity = reading.dram_activity;
  row.tensor_activity = reading.tensor_activity;
  row.late = measured.late;
  return row;
}

std::vector<results::ProfilePairRow> rows_of(const PairPoint& pair,
                                             const std::vector<Measured>& shared,
                                             const results::ProfileRow& first,
                                             const results::ProfileRow& second) {
  auto rows = key_rows(pair);
  if (rows.size() == 1) {
    fill(rows[0], mean_of(shared.at(0), shared.at(1)), first);
  } else {
    fill(rows[0], shared.at(0), first);
    fill(rows[1], shared.at(1), second);
  }
  return rows;
}

GrowingProfile::GrowingProfile(const CalibrateOptions& options, const CalibrationBed& bed,
                               results::Provenance provenance,
                               const std::vector<results::RankRow>& ranks)
    : writer_(options.output, provenance) {
  content_ = kept_of(options, bed);
  for (const auto& row : content_.rows) writer_.add(row);
  for (const auto& row : content_.pairs) writer_.add(row);
  for (const auto& row : content_.links) writer_.add(row);
  for (const auto& row : ranks) writer_.add(row);
  writer_.set_status("running", "");
}

const results::ProfileRow* GrowingProfile::find(const results::ProfileRow& key) const {
  const auto found = std::find_if(content_.rows.begin(), content_.rows.end(),
                                  [&](const auto& row) { return same_point(row, key); });
  return found == content_.rows.end() ? nullptr : &*found;
}

bool GrowingProfile::has(const PairPoint& pair) const {
  return holds(content_, pair);
}

bool GrowingProfile::has(const results::ProfileLinkRow& key) const {
  return holds(content_, key);
}

void GrowingProfile::add(const results::ProfileLinkRow& row) {
  content_.links.push_back(row);
  writer_.add(row);
  writer_.flush();
}

void GrowingProfile::add(const results::ProfileRow& row) {
  content_.rows.push_back(row);
  writer_.add(row);
  writer_.flush();
}

void GrowingProfile::add(const std::vector<results::ProfilePairRow>& rows) {
  for (const auto& row : rows) {
    content_.pairs.push_back(row);
    writer_.add(row);
  }
  writer_.flush();
}

}  // namespace mimus::emulator
