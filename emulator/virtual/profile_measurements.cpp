// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/virtual/profile_measurements.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emulator/virtual/profile_reader.hpp"

namespace mimus::emulator {
namespace {

using Step = ProfileMeasurements::Step;
using Line = std::map<std::int64_t, Step>;

StepCost cost_of(const Step& step) {
  return {from_seconds(step.step), from_seconds(step.exposed), from_seconds(step.busy)};
}

Step between(const Step& low, const Step& high, double weight) {
  const auto mix = [&](double a, double b) { return a + weight * (b - a); };
  return {mix(low.step, high.step), mix(low.exposed, high.exposed), mix(low.busy, high.busy),
          mix(low.modelled, high.modelled)};
}

std::optional<Step> at(const Line& line, std::int64_t batch) {
  const auto high = line.lower_bound(batch);
  if (high == line.end()) return std::nullopt;
  if (high->first == batch) return high->second;
  if (high == line.begin()) return std::nullopt;
  const auto low = std::prev(high);
  const double weight =
      static_cast<double>(batch - low->first) / static_cast<double>(high->first - low->first);
  return between(low->second, high->second, weight);
}

/// How far a measurement is from what is asked: first by shape, then by accumulation, then by the
/// ratio of the batches.
using Distance = std::tuple<int, int, double>;

}  // namespace

ProfileMeasurements::ProfileMeasurements(const StepTimeInputs& inputs, const std::string& path)
    : shape_(inputs.cluster.shape),
      name_(std::filesystem::path(path).filename().string()),
      table_(read_profile(path, inputs)) {
  if (!table_.empty()) return;
  throw ConfigError({path, 0, 0}, "",
                    "holds no step of an attempt that ran alone; take a profile (mimus calibrate) "
                    "or the result of a live run recorded in full");
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
  const auto line = table_.find(key_of(attempt));
  if (line == table_.end()) return std::nullopt;
  const auto step = at(line->second, attempt.batch.per_gpu);
  return step ? std::optional(cost_of(*step)) : std::nullopt;
}

double ProfileMeasurements::nearest_ratio(const Attempt& attempt, const StepTimeModel&) const {
  const auto [model, shape, accumulation] = key_of(attempt);
  std::optional<Distance> least;
  double ratio = 1.0;
  for (const auto& [key, line] : table_) {
    if (std::get<0>(key) != model) continue;
    for (const auto& [batch, step] : line) {
      if (step.modelled <= 0.0) continue;
      const double apart = std::abs(
          std::log(static_cast<double>(batch) / static_cast<double>(attempt.batch.per_gpu)));
      const Distance distance{std::get<1>(key) != shape, std::get<2>(key) != accumulation, apart};
      if (least && distance >= *least) continue;
      least = distance;
      ratio = step.step / step.modelled;
    }
  }
  return ratio;
}

std::string ProfileMeasurements::missing(const Attempt& attempt) const {
  const Key key = key_of(attempt);
  std::string text = fmt::format("{} has no solo step of {} on {} with a per-GPU batch of {} x {}",
                                 name_, std::get<0>(key), std::get<1>(key), attempt.batch.per_gpu,
                                 attempt.batch.accumulation);
  const auto line = table_.find(key);
  if (line != table_.end()) {
    std::vector<std::int64_t> batches;
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
