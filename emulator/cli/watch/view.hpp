// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "emulator/cli/watch/cell_progress.hpp"

namespace mimus::emulator::cli {

struct ViewSize {
  int columns = 100;
  int rows = 40;
  bool colour = false;  ///< jobs by model, with ANSI codes
};

/// The picture of a cell, as lines no wider than `columns` and, if possible, no more than `rows`:
/// name, totals, the cluster, running and waiting jobs, the last decisions.
[[nodiscard]] std::vector<std::string> view(const CellProgress& state, const ViewSize& size);

/// The letter that stands for a job in the grid.
[[nodiscard]] char letter_of(std::int64_t job);

}  // namespace mimus::emulator::cli
