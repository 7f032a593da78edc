// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "emulator/run/status_line.hpp"
#include "emulator/testbed/testbed.hpp"

namespace mimus::emulator {

/// Shows the progress of a cell.
class ProgressLine {
 public:
  /// `title` names the cell and `time_scale` its speed, "" for that of jobs; nothing is shown when
  /// `quiet`.
  ProgressLine(std::string title, std::string time_scale, bool quiet);

  void show(const RunProgress& progress);

 private:
  [[nodiscard]] std::string text(const RunProgress& progress, Duration elapsed) const;

  std::string title_;
  std::string time_scale_;
  StatusLine line_;
};

}  // namespace mimus::emulator
