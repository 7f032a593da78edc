// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/error.hpp"

namespace mimus::results {

/// Another process is writing the file, or has completed it meanwhile.
class TakenError : public IoError {
 public:
  using IoError::IoError;
};

/// Reserves a file for one writer, across processes and within one. The lock ends with the object
/// or the process, however the process dies. Readers are not affected.
class FileLock {
 public:
  /// Creates the file if there is none. Throws TakenError when another writer holds it.
  explicit FileLock(const std::string& path);
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&&) = delete;
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock();

  /// Waits until the file's content is on the storage device.
  void synchronise() const;

 private:
  std::string path_;
  int descriptor_ = -1;
};

/// Whether some process holds the FileLock of this file.
[[nodiscard]] bool is_being_written(const std::string& path);

}  // namespace mimus::results
