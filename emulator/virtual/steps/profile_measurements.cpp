// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/virtual/steps/profile_measurements.hpp"

#include <algorithm>
#include <filesystem>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emulator/virtual/steps/profile_reader.hpp"

namespace mimus::emulator {
namespace {

using workloads::StepTiming;
using workloads::TimingLine;

StepCost cost_of(const StepTiming& timing) {
  return {from_seconds(timing.step), from_seconds(timing.sync), from_seconds(timing.busy)};
}

}  // namespace

ProfileMeasurements::ProfileMeasurements(const StepTimeInputs& inputs, const std::string& path)
    : shape_(inputs.cluster.shape),
      name_(std::filesystem::path(path).filename().string()),
      table_(read_profile(path, inputs)) {
  if (table_.empty()) {
    throw ConfigError({path, 0, 0}, "",
                      "holds no step of an attempt that ran alone; use a profile (mimus calibrate) "
                      "or the result of a live run recorded in full");
  }
  for (const auto& [key, line] : table_) add_to_grid(key, line);
}

GangShape ProfileMeasurements::gang_of(const Key& key) {
  const auto gang = parse_shape(std::get<1>(key));
  ensure(gang.has_value(), "a shape that is none");
  return *gang;
}

void ProfileMeasurements::add_to_grid(const Key& key, const TimingLine& line) {
  const auto& [model, shape, accumulation] = key;
  const auto gang = gang_of(key);
  if (gang.replicas() == 1) return;
  auto& grid = grids_[{model, gang.racks, gang.nodes() > 1, accumulation}];
  for (const auto& [batch, timing] : line) grid.add(gang.nodes(), gang.replicas(), batch, timing);
}

std::optional<StepTiming> ProfileMeasurements::in_grid(const Key& key,
                                                       std::int64_t per_gpu_batch) const {
  const auto& [model, shape, accumulation] = key;
  const auto gang = gang_of(key);
  const auto found = grids_.find({model, gang.racks, gang.nodes() > 1, accumulation});
  if (gang.replicas() == 1 || found == grids_.end()) return std::nullopt;
  return found->second.at(gang.nodes(), gang.replicas(), static_cast<double>(per_gpu_batch));
}

bool ProfileMeasurements::has_model(const std::string& model) const {
  return std::any_of(table_.begin(), table_.end(),
                     [&](const auto& entry) { return std::get<0>(entry.first) == model; });
}

ProfileMeasurements::Key ProfileMeasurements::key_of(const Attempt& attempt) const {
  return {attempt.model->name, shape_.shape_of(attempt.allocation.slots),
          attempt.batch.accumulation};
}

std::optional<StepCost> ProfileMeasurements::find(const Attempt& attempt) const {
  const Key key = key_of(attempt);
  const auto line = table_.find(key);
  std::optional<StepTiming> timing;
  if (line != table_.end()) {
    timing = timing_at(line->second, static_cast<double>(attempt.batch.per_gpu));
  }
  if (!timing) timing = in_grid(key, attempt.batch.per_gpu);
  return timing ? std::optional(cost_of(*timing)) : std::nullopt;
}

std::vector<MeasuredPoint> ProfileMeasurements::points(const std::string& model) const {
  std::vector<MeasuredPoint> points;
  for (const auto& [key, line] : table_) {
    if (std::get<0>(key) != model) continue;
    const auto gang = gang_of(key);
    for (const auto& [batch, timing] : line) {
      points.push_back({gang.per_node, gang.racks, static_cast<std::int64_t>(batch),
                        static_cast<int>(std::get<2>(key)), timing.step});
    }
  }
  return points;
}

std::string ProfileMeasurements::missing(const Attempt& attempt) const {
  const Key key = key_of(attempt);
  std::string text = fmt::format("{} has no solo step of {} on {} with a per-GPU batch of {} x {}",
                                 name_, std::get<0>(key), std::get<1>(key), attempt.batch.per_gpu,
                                 attempt.batch.accumulation);
  const auto line = table_.find(key);
  if (line != table_.end()) {
    std::vector<double> batches;
    for (const auto& [batch, step] : line->second) batches.push_back(batch);
    return text + fmt::format("; it has {}", fmt::join(batches, ", "));
  }
  std::vector<std::string> shapes;
  for (const auto& [other, steps] : table_) {
    if (std::get<0>(other) != std::get<0>(key)) continue;
    shapes.push_back(fmt::format("{} x {}", std::get<1>(other), std::get<2>(other)));
  }
  if (shapes.empty()) return text + "; it does not have this model";
  return text + fmt::format("; of this model it has {}", fmt::join(shapes, ", "));
}

}  // namespace mimus::emulator
