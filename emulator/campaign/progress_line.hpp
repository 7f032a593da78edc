// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/time.hpp"
#include "emulator/testbed.hpp"

namespace mimus::emulator {

/// One line on stderr that says how far a cell is: rewritten in place on a terminal, a new line
/// every ten seconds elsewhere.
class ProgressLine {
 public:
  /// `title` names the cell; nothing is shown when `quiet`.
  ProgressLine(std::string title, double time_scale, bool quiet);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();

  void show(const RunProgress& progress);

 private:
  [[nodiscard]] std::string text(const RunProgress& progress, Duration elapsed) const;

  std::string title_;
  double time_scale_;
  bool quiet_;
  bool terminal_;
  bool drawn_ = false;
  WallInstant begun_;
  WallInstant last_{};
};

}  // namespace mimus::emulator
