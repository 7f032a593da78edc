// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emulator/campaign/campaign.hpp"

namespace mimus::emulator {

/// Refuses modes that a live cell's devices do not have: CUDA devices are shared by
/// engine.cuda.sharing, and unpaced cores by the operating system. Throws ConfigError.
void check_live_sharing(const Cell& cell, const CellConfig& config,
                        const workloads::ModelCatalogue& models);

}  // namespace mimus::emulator
