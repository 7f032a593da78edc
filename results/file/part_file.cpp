// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/file/part_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <system_error>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/folder.hpp"
#include "results/file/checksums.hpp"

namespace mimus::results {

namespace {

void create_parent(const std::string& path) {
  const auto parent = std::filesystem::path(path).parent_path();
  if (!parent.empty()) create_folder(parent.string());
}

void refuse_existing(const std::string& path) {
  if (!std::filesystem::exists(path)) return;
  throw TakenError(path,
                   "holds a complete result and is never overwritten; remove it to run this cell "
                   "again, or choose another output folder");
}

void refuse_growing(const std::string& part) {
  if (!is_being_written(part)) return;
  throw TakenError(
      part,
      "is being written by another process; wait for it, stop it, or choose another output folder");
}

// Locks before anything is written, so that a second writer cannot damage the first one's file.
std::string prepared(const std::string& path) {
  create_parent(path);
  refuse_existing(path);
  refuse_growing(path + ".part");
  return path;
}

[[noreturn]] void throw_rename_error(const std::string& from, const std::string& to) {
  throw IoError(from, fmt::format("cannot be renamed to {}: {}", to, std::strerror(errno)));
}

}  // namespace

PartFile::PartFile(std::string path)
    : final_path_(prepared(path)),
      part_path_(path + ".part"),
      new_path_(path + ".new"),
      lock_(new_path_) {}

PartFile::~PartFile() {
  if (!shown_) std::remove(new_path_.c_str());
}

void PartFile::show() {
  const char* from = new_path_.c_str();
  const char* to = part_path_.c_str();
  const bool is_first = ::renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0;
  if (!is_first) {
    // The file of a dead writer, or a file system that cannot rename without replacing.
    std::optional<FileLock> earlier;
    if (errno == EEXIST) earlier.emplace(part_path_);  // throws TakenError if its writer lives
    if (std::rename(from, to) != 0) throw_rename_error(new_path_, part_path_);
  }
  shown_ = true;
  // Another writer may have completed it since our first look.
  if (!std::filesystem::exists(final_path_)) return;
  std::filesystem::remove(part_path_);
  refuse_existing(final_path_);
}

void PartFile::publish() {
  append_checksums(part_path_);
  lock_.synchronise();
  refuse_existing(final_path_);
  if (std::rename(part_path_.c_str(), final_path_.c_str()) != 0) {
    throw_rename_error(part_path_, final_path_);
  }
}

}  // namespace mimus::results
