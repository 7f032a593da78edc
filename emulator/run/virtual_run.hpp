// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "emulator/campaign/campaign.hpp"
#include "emulator/run/runner.hpp"
#include "emulator/testbed/testbed.hpp"

namespace mimus::emulator {

/// Settings of the run of a virtual cell, besides its configuration.
struct VirtualRun {
  const Campaign& campaign;
  const RunOptions& options;
  std::string output_dir;
  Testbed::Watcher watcher;  ///< receives every event; may throw InterruptedError
};

/// Runs one cell on the virtual clock into its own result file, without MPI.
void run_virtual_cell(const VirtualRun& run, int index);

}  // namespace mimus::emulator
