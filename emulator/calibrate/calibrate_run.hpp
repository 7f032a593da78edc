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

/// The set-up that every rank computes equally before anything runs.
struct CalibrationSetup {
  CalibrationBed bed;
  CalibrationPlan plan;
};

/// Rank 0: makes one measurement after the other for the profile and then ends the workers,
/// whatever happens except an error of theirs. If they do not end, aborts MPI, after ending the
/// daemon of `mps`.
[[nodiscard]] ExitCode calibrate_in(const LiveWorld& world, const CalibrateOptions& options,
                                    const CalibrationSetup& setup,
                                    std::unique_ptr<MpsSession>& mps);

}  // namespace mimus::emulator
