// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/calibrate/calibrate_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/quantity_text.hpp"

namespace mimus::emulator {

std::string plan_text(const CalibrationPlan& plan, const CalibrationBed& bed,
                      const CalibrateOptions& options) {
  const CalibrationCost cost = cost_of(plan, bed, options);
  const auto links = plan.links.empty() ? std::string{}
                                        : fmt::format("the links of {} gangs, ", plan.links.size());
  return fmt::format(
      "{}{} steps alone and {} pairs on {} {} ({}), world of {} ranks, about {} to {}", links,
      plan.alone.size(), plan.pairs.size(), bed.cluster.shape.gpus(), bed.cluster.shape.gpu_type,
      bed.engine.device, world_shape(bed).ranks(), format_duration(cost.least),
      format_duration(cost.most));
}

std::string title_of(const LinkPoint& point) {
  return fmt::format("links of {}", fmt::join(point.shape, "+"));
}

std::string title_of(const SoloPoint& point) {
  return fmt::format("{} batch {} on {}", point.model->name, point.batch,
                     fmt::join(point.shape, "+"));
}

std::string title_of(const PairPoint& pair) {
  return fmt::format("{} batch {} beside {} batch {}", pair.first->name, pair.first_batch,
                     pair.second->name, pair.second_batch);
}

}  // namespace mimus::emulator
