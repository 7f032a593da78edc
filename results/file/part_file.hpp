// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "results/file/file_lock.hpp"

namespace mimus::results {

/// The names of a growing result file: `<path>.new` until it can be read, then `<path>.part`, and
/// `<path>` once the cell is complete. It is locked against a second writer before anything is
/// written. Throws IoError; TakenError when another process writes it or has completed it.
class PartFile {
 public:
  /// Creates the folder. `path` must not exist: a complete result is never overwritten.
  explicit PartFile(std::string path);
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;
  ~PartFile();

  /// The file to write into before show().
  [[nodiscard]] const std::string& new_path() const { return new_path_; }
  [[nodiscard]] const std::string& part_path() const { return part_path_; }
  [[nodiscard]] const std::string& final_path() const { return final_path_; }
  /// The file can now be read: it replaces the file of an earlier, dead writer.
  void show();
  /// Adds the checksums to the closed file, stores it on disk and gives it its final name.
  void publish();

 private:
  std::string final_path_;
  std::string part_path_;
  std::string new_path_;
  FileLock lock_;  ///< of the file, whatever its name
  bool shown_ = false;
};

}  // namespace mimus::results
