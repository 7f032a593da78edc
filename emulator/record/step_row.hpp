// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emulator/engine.hpp"
#include "emulator/record/training_state.hpp"
#include "results/schema/rows.hpp"

namespace mimus::emulator {

/// The row of one window of an attempt's steps.
[[nodiscard]] results::StepRow step_row(const Attempt& attempt, const StepWindow& window,
                                        const TrainingState& state);

}  // namespace mimus::emulator
