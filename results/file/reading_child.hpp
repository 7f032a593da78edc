// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <sys/types.h>

namespace mimus::results {

/// A child process that reads a file in place of this process, because HDF5 may crash on it. It
/// lives at most as long as this object.
class ReadingChild {
 public:
  using Serve = std::function<std::string(const std::string& question)>;

  /// In the child `serve` answers all questions; its state stays there.
  ReadingChild(std::string path, const Serve& serve);
  ReadingChild(const ReadingChild&) = delete;
  ReadingChild& operator=(const ReadingChild&) = delete;
  ~ReadingChild();

  /// Throws IoError naming the file if `serve` does. Throws DamagedError if that was one, or if the
  /// child died or computed for longer than a file of this size can need. No further questions are
  /// possible then.
  [[nodiscard]] std::string ask(const std::string& question);

 private:
  [[noreturn]] void throw_death();

  std::string path_;
  int socket_ = -1;
  pid_t child_ = -1;
};

}  // namespace mimus::results
