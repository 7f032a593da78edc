// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace mimus::emulator::cli {

/// The result file of a cell under its present name: `.part` while it grows. Nothing if neither
/// exists.
[[nodiscard]] std::optional<std::string> present_name(const std::string& path);

/// The file to watch: `path` itself, or for a folder the file that is being written (the newest if
/// there are several), else the newest of all. Throws UsageError if there is none.
[[nodiscard]] std::string watched_file(const std::string& path);

/// Whether the cell is still being written.
[[nodiscard]] bool is_growing(const std::string& file);

}  // namespace mimus::emulator::cli
