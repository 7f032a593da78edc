// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "base/relative_path.hpp"

#include <filesystem>

namespace mimus {

std::string relative_to(const SourceLocation& where, const std::string& path) {
  const bool on_command_line = where.line == 0;
  if (on_command_line || std::filesystem::path(path).is_absolute()) return path;
  return (std::filesystem::path(where.file).parent_path() / path).lexically_normal().string();
}

}  // namespace mimus
