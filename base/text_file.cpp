// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "base/text_file.hpp"

#include <fstream>
#include <iterator>

#include "base/error.hpp"

namespace mimus {

std::string read_text_file(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    throw ConfigError({path, 0, 0}, "",
                      "cannot be opened; check the path, which is taken relative to the folder "
                      "the command runs in");
  }
  // Not `<< rdbuf()`: that reports an empty file as a failure.
  std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (stream.bad()) throw ConfigError({path, 0, 0}, "", "cannot be read as a file");
  return text;
}

}  // namespace mimus
