// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "emulator/cell_config.hpp"

namespace mimus::emulator {

/// "<key>=<hash>" for every file or folder that keys of `engine:` name and a run of its kind reads:
/// `engine.profile` and, in the virtual engine, those of the step times and the interference. The
/// hash is of the contents, not of the place; a file is read again only when it has changed. Throws
/// ConfigError for what cannot be read.
[[nodiscard]] std::vector<std::string> engine_input_hashes(const EngineConfig& engine);

}  // namespace mimus::emulator
