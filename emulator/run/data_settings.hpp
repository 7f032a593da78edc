// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "emulator/data/data_paths.hpp"
#include "emulator/virtual/steps/step_time_model.hpp"

namespace mimus::emulator {

/// Nothing where the cluster states nothing of how data sets are read. `steps` must outlive it.
[[nodiscard]] inline std::optional<DataPathSettings> data_paths(const ClusterConfig& cluster,
                                                                const StepTimeModel& steps) {
  if (!cluster.data.is_stated()) return std::nullopt;
  return DataPathSettings{
      cluster.data, [&steps](const Attempt& attempt) { return steps.step(attempt, {}).step; }};
}

}  // namespace mimus::emulator
