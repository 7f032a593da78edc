// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/time.hpp"

namespace mimus::emulator {

/// One line on stderr that says how far something is: rewritten in place on a terminal, a new line
/// every ten seconds elsewhere.
class StatusLine {
 public:
  /// Nothing is shown when `quiet`.
  explicit StatusLine(bool quiet);
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;
  ~StatusLine();

  /// Whether it is time for another text; show() does not ask.
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
