// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/part_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"

namespace mimus::results {

namespace {

void create_parent(const std::string& path) {
  const auto parent = std::filesystem::path(path).parent_path();
  if (parent.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(parent, error);
  if (error) {
    throw IoError(parent.string(), fmt::format("the folder cannot be created: {}; choose an "
                                               "output folder that can be written",
                                               error.message()));
  }
}

void refuse_existing(const std::string& path) {
  if (!std::filesystem::exists(path)) return;
  throw TakenError(path,
                   "holds a complete result and is never overwritten; remove it to run this cell "
                   "again, or choose another output folder");
}

// The lock comes before the file is truncated, so that a second writer cannot harm the first.
std::string prepared(const std::string& path) {
  create_parent(path);
  refuse_existing(path);
  return path + ".part";
}

}  // namespace

PartFile::PartFile(std::string path)
    : final_path_(std::move(path)), part_path_(prepared(final_path_)), lock_(part_path_) {
  // Another writer may have completed it between the look above and the lock.
  if (!std::filesystem::exists(final_path_)) return;
  std::filesystem::remove(part_path_);
  refuse_existing(final_path_);
}

void PartFile::publish() {
  lock_.synchronise();
  refuse_existing(final_path_);
  if (std::rename(part_path_.c_str(), final_path_.c_str()) != 0) {
    throw IoError(part_path_, fmt::format("is complete but cannot be renamed to {}: {}",
                                          final_path_, std::strerror(errno)));
  }
}

}  // namespace mimus::results
