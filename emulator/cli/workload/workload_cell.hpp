// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "emulator/campaign/campaign.hpp"

namespace mimus::emulator::cli {

/// One cell of a campaign before its inputs are read.
struct UnreadCell {
  Cell cell;
  workloads::ModelCatalogue models;
};

/// The cell of a campaign file, without reading any trace or making any job. `id` is a cell's id or
/// its number; empty for the first. Throws ConfigError, and UsageError for an unknown cell.
[[nodiscard]] UnreadCell unread_cell(const std::string& path,
                                     const std::vector<Override>& overrides, const std::string& id);

}  // namespace mimus::emulator::cli
