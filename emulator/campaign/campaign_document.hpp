// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/config_tree.hpp"
#include "emulator/campaign/campaign.hpp"

namespace mimus::emulator {

/// Reads a campaign file, merges the files named by `base:` under it (one path or a list, each
/// relative to the file that names it; later ones win) and applies `overrides`. The result has no
/// `base` key left. Throws ConfigError for unreadable files, cycles and bad override paths.
[[nodiscard]] ConfigNode load_document(const std::string& path,
                                       const std::vector<Override>& overrides);

/// Refuses what cannot be a YAML input: a missing file, a folder, a device, an empty, huge or
/// binary file. `named_at` is the place where `key` names the file; without it the message names
/// the path itself. Throws ConfigError.
void check_input_file(const std::string& path, const SourceLocation& named_at,
                      const std::string& key);

/// Like set_path. A preset alone also accepts a choice: `policy: las` and `policy.placement` become
/// `policy: {preset: las, placement: …}`.
void set_key(ConfigNode& document, const std::string& path, const ConfigNode& value);

/// The place that errors about an override name: `--set path=value`.
[[nodiscard]] SourceLocation location_of(const Override& setting);

/// The value of an override, read as YAML. Throws ConfigError.
[[nodiscard]] ConfigNode value_of(const Override& setting);

/// Reads `yaml` as if it stood at `where`. Throws ConfigError.
[[nodiscard]] ConfigNode parse_value(const std::string& yaml, const SourceLocation& where);

}  // namespace mimus::emulator
