// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "results/summary.hpp"

namespace mimus::results {

/// Whether the host had a pace to keep.
[[nodiscard]] inline bool knows_pace(const CellSummary& cell) {
  return cell.jobs > 0 && !cell.is_virtual();
}

/// Whether jobs processed samples; where progress is recorded run time they have none.
[[nodiscard]] inline bool knows_samples(const CellSummary& cell) {
  return cell.jobs > 0 && cell.counts_samples;
}

/// Whether device time is known: that of a window is a sum of steps.
[[nodiscard]] inline bool knows_busy(const CellSummary& cell) {
  return cell.jobs > 0 && cell.knows_steps;
}

/// Whether steps were recorded; a virtual run whose progress is recorded run time has none.
[[nodiscard]] inline bool knows_useful_time(const CellSummary& cell) {
  return cell.jobs > 0 && cell.knows_steps && (cell.goodput_normalised > 0 || !cell.is_virtual());
}

}  // namespace mimus::results
