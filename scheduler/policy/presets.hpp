// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/config_tree.hpp"

namespace mimus::scheduler {

/// A named combination of choices, from configs/policies/<name>.yaml.
struct Preset {
  std::string name;
  std::string summary;  ///< one line
  std::string notes;    ///< its source, and what is and is not covered; lines end in newline
  ConfigNode row;       ///< a `policy:` mapping
};

/// All presets, by name.
[[nodiscard]] const std::vector<Preset>& presets();
[[nodiscard]] std::vector<std::string> preset_names();
/// The preset's `policy:` mapping. UsageError when there is none of that name.
[[nodiscard]] ConfigNode preset(const std::string& name);

/// Writes out the preset that a `policy:` value names, as `tiresias-l` or as
/// `{preset: tiresias-l, …}`: seams given beside it replace the preset's, and a mapping without
/// `name` changes parameters of the preset's choice; a planner replaces the seams that it decides,
/// and an order the preset's planner. The key `preset` stays, so that read_policy can tell whether
/// the row is still the preset's, and a second call changes nothing.
/// Values that name no preset are returned as they are. ConfigError for an unknown preset.
[[nodiscard]] ConfigNode merge_preset(ConfigNode policy);

/// Whether a `policy:` mapping has a planner that decides this seam itself: order and preemption,
/// batch if it keeps the batches of users,
/// and placement if it names the GPUs of jobs.
[[nodiscard]] bool planner_decides(const std::string& seam, const ConfigNode& policy);

}  // namespace mimus::scheduler
