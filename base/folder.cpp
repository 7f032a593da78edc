// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "base/folder.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "base/error.hpp"

namespace mimus {

void create_folder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (!error) return;
  throw IoError(path,
                fmt::format("the folder cannot be created: {}; choose one that can be written",
                            error.message()));
}

}  // namespace mimus
