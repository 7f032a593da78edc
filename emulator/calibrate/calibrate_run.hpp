// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "emulator/calibrate/calibrate.hpp"
#include "emulator/calibrate/calibrate_bed.hpp"
#include "emulator/calibrate/calibrate_plan.hpp"
#include "emulator/live/world/live_world.hpp"
#include "emulator/live/world/mps_session.hpp"

namespace mimus::emulator {

/// What every rank works out alike before anything runs.
struct CalibrationSetup {
  CalibrationBed bed;
  CalibrationPlan plan;
};

/// Rank 0: takes one measurement after the other into the profile, then ends the workers, whatever
/// happens but an error of theirs. Aborts MPI when they do not end, after the daemon of `mps`.
[[nodiscard]] ExitCode calibrate_in(const LiveWorld& world, const CalibrateOptions& options,
                                    const CalibrationSetup& setup,
                                    std::unique_ptr<MpsSession>& mps);

}  // namespace mimus::emulator
