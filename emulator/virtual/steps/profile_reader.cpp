// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/virtual/steps/profile_reader.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "base/error.hpp"
#include "emulator/sharing/profile_models.hpp"
#include "emulator/virtual/steps/neighbours.hpp"
#include "results/file/reader.hpp"

namespace mimus::emulator {
namespace {

using workloads::StepTiming;
using Table = ProfileMeasurements::Table;

/// A mean that is weighted by steps.
struct Mean {
  double weight = 0.0;
  StepTiming sum;
  double least_sync = std::numeric_limits<double>::infinity();

  void add(const results::StepRow& row) {
    const auto steps = static_cast<double>(row.steps);
    weight += steps;
    sum.step += steps * row.step_mean;
    sum.sync += steps * row.exposed_communication;
    sum.busy += steps * row.device_busy;
    least_sync = std::min(least_sync, row.exposed_communication);
  }
  [[nodiscard]] StepTiming mean() const {
    return {sum.step / weight, sum.sync / weight, sum.busy / weight};
  }
};

/// Steps with the same model, shape and batch.
struct Recorded {
  Mean alone;       ///< with nodes and links to itself
  Mean untenanted;  ///< without co-tenants, but perhaps beside jobs on the same hosts and links
  Mean any;         ///< a replica's own device time is the same in all
  double modelled = 0.0;  ///< sum over all steps [s]
};
using AllRecorded = std::map<ProfileMeasurements::Key, std::map<std::int64_t, Recorded>>;

std::map<std::int64_t, std::string> models_of_jobs(const results::Reader& file) {
  std::map<std::int64_t, std::string> models;
  for (const auto& job : file.rows<results::JobRow>()) models[job.job] = job.model;
  return models;
}

using LimitsOfAttempts = std::multimap<std::int64_t, results::LimitRow>;

LimitsOfAttempts limits_of_attempts(const results::Reader& file) {
  LimitsOfAttempts limits;
  for (const auto& row : file.rows<results::LimitRow>()) limits.emplace(row.attempt, row);
  return limits;
}

bool is_limited(const results::StepRow& steps, const LimitsOfAttempts& limits) {
  const auto [first, last] = limits.equal_range(steps.attempt);
  return std::any_of(first, last, [&](const auto& entry) {
    return entry.second.begin < steps.end && steps.begin < entry.second.end;
  });
}

AllRecorded recorded_steps(const results::Reader& file) {
  const auto models = models_of_jobs(file);
  std::map<std::int64_t, results::AttemptRow> attempts;
  for (auto& row : file.rows<results::AttemptRow>()) attempts[row.attempt] = row;
  const Neighbours neighbours(file);
  const LimitsOfAttempts limits = limits_of_attempts(file);
  AllRecorded all;
  for (const auto& row : file.rows<results::StepRow>()) {
    const auto found = attempts.find(row.attempt);
    const auto model = models.find(row.job);
    if (found == attempts.end() || model == models.end() || row.steps <= 0) continue;
    const results::AttemptRow& attempt = found->second;
    // The row of an attempt holds its last batch. Steps before a retune are left out.
    const std::int64_t total = attempt.replicas * attempt.per_gpu_batch * attempt.accumulation;
    if (row.total_batch != total) continue;
    Recorded& recorded =
        all[{model->second, attempt.shape, attempt.accumulation}][attempt.per_gpu_batch];
    recorded.any.add(row);
    recorded.modelled += static_cast<double>(row.steps) * row.step_modelled;
    if (row.co_tenants > 0 || is_limited(row, limits)) continue;
    recorded.untenanted.add(row);
    if (neighbours.absent(row.attempt, row.begin, row.end)) recorded.alone.add(row);
  }
  return all;
}

/// Values that a baseline of an earlier version lacks are taken from the steps of jobs, even of
/// jobs with co-tenants. With co-tenants, members of a gang wait for the most slowed member, and
/// this counts as communication. The window with the least communication is affected least.
StepTiming from_baseline(const results::BaselineRow& row, const Recorded& steps) {
  if (row.device_busy > 0.0) return {row.step_solo, row.exposed_communication, row.device_busy};
  StepTiming alone{row.step_solo, 0.0, row.step_solo};
  const bool any_alone = steps.alone.weight > 0.0;
  const Mean& told = any_alone ? steps.alone : steps.any;
  if (told.weight <= 0.0) return alone;
  alone.sync = std::min(any_alone ? told.mean().sync : told.least_sync, alone.step);
  alone.busy = std::min(told.mean().busy, alone.step);
  return alone;
}

Table calibrated_steps(const std::string& path, const StepTimeInputs& inputs) {
  const auto profile = results::read_profile_file(path);
  if (inputs.models != nullptr) check_fingerprints(path, profile, *inputs.models);
  Table table;
  for (const auto& row : profile.rows) {
    check_gpu_type(path, row.gpu, inputs.cluster.shape.gpu_type);
    table[{row.model, row.shape, row.accumulation}][static_cast<double>(row.per_gpu_batch)] = {
        row.step_mean, row.exposed_communication, row.device_busy};
  }
  return table;
}

/// Where no step was undisturbed, an emulated device tells what it was paced to alone; of a real
/// one the disturbed steps are all there is. Nothing if all steps had co-tenants.
std::optional<StepTiming> of_jobs(const Recorded& steps, bool paced) {
  if (steps.alone.weight > 0.0) return steps.alone.mean();
  if (steps.untenanted.weight <= 0.0) return std::nullopt;
  StepTiming timing = steps.untenanted.mean();
  if (!paced) return timing;
  timing.step = steps.modelled / steps.any.weight;
  timing.sync = std::min(steps.untenanted.least_sync, timing.step);
  return timing;
}

Table recorded_table(const results::Reader& file) {
  AllRecorded all = recorded_steps(file);
  Table table;
  for (const auto& row : file.rows<results::BaselineRow>()) {
    if (row.step_solo <= 0.0) continue;
    const ProfileMeasurements::Key key{row.model, row.shape, row.accumulation};
    table[key][static_cast<double>(row.per_gpu_batch)] =
        from_baseline(row, all[key][row.per_gpu_batch]);
  }
  const bool paced = file.attribute("pace") == "datasheet";
  for (const auto& [key, batches] : all) {
    for (const auto& [batch, recorded] : batches) {
      if (const auto timing = of_jobs(recorded, paced)) {
        table[key].try_emplace(static_cast<double>(batch), *timing);
      }
    }
  }
  return table;
}

void check_shapes(const std::string& path, const Table& table) {
  for (const auto& [key, line] : table) {
    const std::string& shape = std::get<1>(key);
    if (parse_shape(shape)) continue;
    throw ConfigError({path, 0, 0}, "",
                      fmt::format("says that {} ran on \"{}\", which is not a shape such as 2+2; "
                                  "measure the profile again",
                                  std::get<0>(key), shape));
  }
}

}  // namespace

Table read_profile(const std::string& path, const StepTimeInputs& inputs) {
  const results::Reader file(path);
  const bool calibrated = file.recorded("profile");
  if (!calibrated) check_gpu_type(path, file.attribute("gpu"), inputs.cluster.shape.gpu_type);
  Table table = calibrated ? calibrated_steps(path, inputs) : recorded_table(file);
  check_shapes(path, table);
  return table;
}

}  // namespace mimus::emulator
