// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "base/text_file.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "base/error.hpp"

namespace mimus {

std::string read_text_file(const std::string& path) {
  if (std::filesystem::is_directory(path)) {
    throw ConfigError({path, 0, 0}, "", "is a folder; a file is needed");
  }
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    throw ConfigError({path, 0, 0}, "",
                      "cannot be opened; check the path, which is relative to the folder in which "
                      "the command runs");
  }
  std::error_code unknown;  // ignored: pipes and devices have no size, but can be read to their end
  const auto size = std::filesystem::file_size(path, unknown);
  std::string text(unknown ? 0 : size, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  text.append(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
  if (stream.bad()) throw ConfigError({path, 0, 0}, "", "cannot be read as a file");
  return text;
}

}  // namespace mimus
