// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "results/file_lock.hpp"

namespace mimus::results {

/// The name under which a result file grows: `<path>.part`, locked against a second writer before
/// anything is written, and renamed once the cell is complete. Throws IoError, TakenError when
/// another process writes it or has completed it.
class PartFile {
 public:
  /// Creates the folder. `path` must not exist: a complete result is never overwritten.
  explicit PartFile(std::string path);

  [[nodiscard]] const std::string& path() const { return part_path_; }
  [[nodiscard]] const std::string& final_path() const { return final_path_; }
  /// Stores the closed file on disk and gives it its final name.
  void publish();

 private:
  std::string final_path_;
  std::string part_path_;
  FileLock lock_;
};

}  // namespace mimus::results
