// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "emulator/virtual/steps/profile_measurements.hpp"

namespace mimus::emulator {

/// Solo steps of a result file, from its tables jobs, attempts, placements, steps and baselines, or
/// of a profile. IoError when it cannot be read, ConfigError when a profile is of another GPU type
/// or of footprints that have changed.
[[nodiscard]] ProfileMeasurements::Table read_profile(const std::string& path,
                                                      const StepTimeInputs& inputs);

}  // namespace mimus::emulator
