// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "emulator/campaign/campaign.hpp"
#include "emulator/run/runner.hpp"

namespace mimus::emulator {

/// Runs virtual cells, several at a time in processes of their own (`RunOptions::jobs`). A cell's
/// result does not depend on how many run beside it. All cells are tried, and the first error is
/// thrown at the end. Throws InterruptedError when asked to stop.
void run_virtual_cells(const Campaign& campaign, const RunOptions& options,
                       const std::string& output_dir, const std::vector<int>& cells);

}  // namespace mimus::emulator
