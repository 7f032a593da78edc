// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/fields.hpp"
#include "emulator/cell_config.hpp"

namespace mimus::emulator {

/// Which cells read a key of `engine:`.
enum class KeyReader {
  every_cell,
  live_cells,
  virtual_cells,
  virtual_cells_alone,   ///< those that replay no other simulator
  cells_without_replay,  ///< likewise, and live ones
  cells_with_rounds,     ///< a replayed simulator's among them
  replaying_cells
};

/// The keys of `engine:` as they are written.
struct EngineKeys : EngineConfig {
  enum class Mode { events, rounds };
  Mode mode = Mode::events;
  Duration length_of_rounds = std::chrono::seconds(60);
};

struct EngineKey {
  Field<EngineKeys> key;
  KeyReader reader = KeyReader::every_cell;
};
/// All of them, in the order of the reference; they are read through this table.
[[nodiscard]] const std::vector<EngineKey>& engine_keys();

}  // namespace mimus::emulator
