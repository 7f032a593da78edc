// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

#include <fmt/format.h>

/// stdout carries results and stderr the log, so a command's output can be piped while its log
/// stays visible.
namespace mimus::log {

enum class Level { debug, info, warn, error };

/// Sends the log to stderr. `verbosity`: -1 errors only, 0 normal, 1 debug. Colour only on a
/// terminal and without NO_COLOR. `rank` < 0 leaves the rank out of the prefix.
void configure(int verbosity, int rank = -1);

/// Writes one line of the log. The logging library is hidden behind this call, because its headers
/// are the heaviest that this project uses.
void write(Level level, const std::string& message);

template <class... Args>
void debug(fmt::format_string<Args...> format, Args&&... args) {
  write(Level::debug, fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void info(fmt::format_string<Args...> format, Args&&... args) {
  write(Level::info, fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void warn(fmt::format_string<Args...> format, Args&&... args) {
  write(Level::warn, fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void error(fmt::format_string<Args...> format, Args&&... args) {
  write(Level::error, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace mimus::log
