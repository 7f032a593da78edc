// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <sys/types.h>

namespace mimus::results {

/// A child process that reads a file in place of this one, since HDF5 may die of it. It lives as
/// long as this object, at most.
class ReadingChild {
 public:
  using Serve = std::function<std::string(const std::string& question)>;

  /// In the child `serve` answers all questions; its state stays there.
  ReadingChild(std::string path, const Serve& serve);
  ReadingChild(const ReadingChild&) = delete;
  ReadingChild& operator=(const ReadingChild&) = delete;
  ~ReadingChild();

  /// Throws IoError naming the file: that of `serve`; DamagedError where that was one, or where the
  /// child died or computed for longer than a file of this size can need. No more questions then.
  [[nodiscard]] std::string ask(const std::string& question);

 private:
  [[noreturn]] void throw_death();

  std::string path_;
  int socket_ = -1;
  pid_t child_ = -1;
};

}  // namespace mimus::results
