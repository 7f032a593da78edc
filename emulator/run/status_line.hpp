// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/time.hpp"

namespace mimus::emulator {

/// One line of progress on stderr: rewritten in place on a terminal, elsewhere a new line every ten
/// seconds.
class StatusLine {
 public:
  /// Nothing is shown when `quiet`.
  explicit StatusLine(bool quiet);
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;
  ~StatusLine();

  /// Whether it is time for another text; show() does not check this.
  [[nodiscard]] bool due() const;
  void show(const std::string& text);
  /// Since construction.
  [[nodiscard]] Duration elapsed() const { return wall_now() - begun_; }

 private:
  bool quiet_;
  bool terminal_;
  bool drawn_ = false;
  WallInstant begun_;
  WallInstant last_{};
};

}  // namespace mimus::emulator
