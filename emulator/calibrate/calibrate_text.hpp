// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "emulator/calibrate/calibrate_plan.hpp"

namespace mimus::emulator {

/// Text that says how much there is to measure, on what, and about how long it takes.
[[nodiscard]] std::string plan_text(const CalibrationPlan& plan, const CalibrationBed& bed,
                                    const CalibrateOptions& options);
/// The title of a measurement, e.g. "resnet50 batch 32 on 2+2".
[[nodiscard]] std::string title_of(const SoloPoint& point);
[[nodiscard]] std::string title_of(const LinkPoint& point);
[[nodiscard]] std::string title_of(const PairPoint& pair);

}  // namespace mimus::emulator
