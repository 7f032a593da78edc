// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace mimus {
namespace {

std::string config_message(const SourceLocation& where, const std::string& path,
                           const std::string& what) {
  if (path.empty()) return fmt::format("{}: {}", where.str(), what);
  return fmt::format("{}: {}: {}", where.str(), path, what);
}

char lower(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

/// Ignores case: "h100" is nearer to "H100" than to "P100".
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitution = diagonal + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substitution});
    }
  }
  return row.back();
}

}  // namespace

std::string SourceLocation::str() const {
  if (line <= 0) return file;
  return fmt::format("{}:{}:{}", file, line, column);
}

ConfigError::ConfigError(SourceLocation where, std::string path, const std::string& what)
    : Error(ExitCode::configuration, config_message(where, path, what)),
      where_(std::move(where)),
      path_(std::move(path)) {}

NotCompiledError::NotCompiledError(std::string_view feature, std::string_view cmake_option)
    : Error(ExitCode::environment,
            fmt::format("{} is not compiled into this build; reconfigure with -D{}=ON where its "
                        "toolkit is installed",
                        feature, cmake_option)) {}

IoError::IoError(std::string path, const std::string& what)
    : Error(ExitCode::run_failed, fmt::format("{}: {}", path, what)), path_(std::move(path)) {}

LibraryError::LibraryError(std::string_view call, long code, const std::string& what)
    : Error(ExitCode::run_failed, fmt::format("{} failed with code {}: {}", call, code, what)),
      error_(code) {}

TimeoutError::TimeoutError(std::string_view stage, Duration waited, const std::string& detail)
    : Error(ExitCode::run_failed, fmt::format("gave up after {:.1f} s in stage \"{}\": {}",
                                              to_seconds(waited), stage, detail)) {}

void ensure(bool holds, std::string_view message) {
  if (!holds) throw InternalError(fmt::format("internal error (please report): {}", message));
}

std::string nearest_match(std::string_view name, const std::vector<std::string>& candidates) {
  std::string best;
  // At most two letters or a third of them may be wrong, but not all.
  std::size_t best_distance = std::min(std::max<std::size_t>(2, name.size() / 3) + 1, name.size());
  for (const auto& candidate : candidates) {
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string unknown_name_message(std::string_view kind, std::string_view name,
                                 const std::vector<std::string>& candidates) {
  const std::string nearest = nearest_match(name, candidates);
  const std::string hint = nearest.empty() ? "" : fmt::format("; did you mean \"{}\"?", nearest);
  return fmt::format("unknown {} \"{}\"{} allowed: {}", kind, name, hint.empty() ? ";" : hint,
                     fmt::join(candidates, ", "));
}

}  // namespace mimus
