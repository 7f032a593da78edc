// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace mimus::emulator::cli {

/// Names of the sources that read a trace from a path.
[[nodiscard]] std::vector<std::string> trace_formats();

/// The one format whose reader accepts the beginning of the trace at `path`. Malformed rows further
/// down do not matter. Throws UsageError if none or several accept it, and ConfigError if the path
/// cannot be read.
[[nodiscard]] std::string guessed_format(const std::string& path);

}  // namespace mimus::emulator::cli
