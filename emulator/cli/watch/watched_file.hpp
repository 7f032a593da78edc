// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace mimus::emulator::cli {

/// The result file of a cell, under the name it has right now: `.part` while it grows.
/// Nothing when there is neither.
[[nodiscard]] std::optional<std::string> present_name(const std::string& path);

/// The file to look at: `path` itself, or of a folder the one that is being written, the newest if
/// there are several, or else the newest of all. Throws UsageError when there is none.
[[nodiscard]] std::string watched_file(const std::string& path);

/// Whether the cell is still being written.
[[nodiscard]] bool is_growing(const std::string& file);

}  // namespace mimus::emulator::cli
