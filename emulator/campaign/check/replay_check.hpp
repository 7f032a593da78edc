// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emulator/campaign/campaign.hpp"

namespace mimus::emulator {

/// A replayed simulator has only some of Mimus's features. Throws ConfigError, naming the key, for
/// a cell with more.
void check_replay(const Cell& cell, const CellConfig& config);

}  // namespace mimus::emulator
