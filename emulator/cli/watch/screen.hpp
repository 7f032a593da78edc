// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/time.hpp"

namespace mimus::emulator::cli {

/// The terminal during watching: a separate screen, and keys without echo. The previous content of
/// the terminal returns with the destructor, or when a signal ends the program.
class Screen {
 public:
  /// Needs a terminal on stdout.
  Screen();
  ~Screen();
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  void draw(const std::vector<std::string>& lines);
  /// Waits for `time`, or until q, Ctrl-C or a signal asks to stop; false then.
  [[nodiscard]] bool wait(Duration time);

 private:
  bool reads_keys_ = false;
};

/// Whether stdout is a terminal on which a picture can be redrawn.
[[nodiscard]] bool has_screen();
/// Whether colours are wanted: a terminal, and no NO_COLOR.
[[nodiscard]] bool wants_colour();
/// Rows of the terminal: LINES when set, else what the terminal says, else 40.
[[nodiscard]] int terminal_height();

/// Waits without a screen; false when a signal asks to stop.
[[nodiscard]] bool wait_for(Duration time);

}  // namespace mimus::emulator::cli
