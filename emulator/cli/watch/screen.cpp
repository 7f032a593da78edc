// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/cli/watch/screen.hpp"

#include <cstdlib>
#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/quantity_text.hpp"
#include "emulator/cli/text/terminal.hpp"
#include "emulator/stop_signal.hpp"

namespace mimus::emulator::cli {
namespace {

constexpr const char* kOpen = "\x1b[?1049h\x1b[?25l";  // alternate screen, cursor hidden
constexpr const char* kClose = "\x1b[?25h\x1b[?1049l";
constexpr const char* kHome = "\x1b[H";
constexpr const char* kClearRight = "\x1b[K";
constexpr const char* kClearBelow = "\x1b[J";
constexpr char kCtrlC = '\x03';

termios& keys_before() {
  static termios settings{};
  return settings;
}

int milliseconds(Duration time) {
  return static_cast<int>(std::chrono::duration_cast<std::chrono::milliseconds>(time).count());
}

}  // namespace

Screen::Screen() {
  install_stop_handlers();
  reads_keys_ = isatty(STDIN_FILENO) == 1 && tcgetattr(STDIN_FILENO, &keys_before()) == 0;
  if (reads_keys_) {
    termios single = keys_before();
    single.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    tcsetattr(STDIN_FILENO, TCSANOW, &single);
  }
  print(kOpen);
}

Screen::~Screen() {
  if (reads_keys_) tcsetattr(STDIN_FILENO, TCSANOW, &keys_before());
  // If the terminal is gone, there is nothing to restore.
  if (write(STDOUT_FILENO, kClose, std::string(kClose).size()) < 0) return;
}

void Screen::draw(const std::vector<std::string>& lines) {
  std::string text = kHome;
  for (const std::string& line : lines) text += line + kClearRight + "\r\n";
  print(text + kClearBelow);
}

bool Screen::wait(Duration time) {
  if (!reads_keys_) return wait_for(time);
  pollfd input{STDIN_FILENO, POLLIN, 0};
  const int ready = poll(&input, 1, milliseconds(time));
  if (stop_signal() != 0) return false;
  if (ready <= 0) return true;
  char key = 0;
  const bool gone = read(STDIN_FILENO, &key, 1) <= 0;
  return !gone && key != 'q' && key != 'Q' && key != kCtrlC;
}

bool has_screen() {
  const char* terminal = std::getenv("TERM");
  return isatty(STDOUT_FILENO) == 1 && (terminal == nullptr || std::string(terminal) != "dumb");
}

bool wants_colour() {
  const char* refused = std::getenv("NO_COLOR");
  return has_screen() && (refused == nullptr || *refused == '\0');
}

int terminal_height() {
  constexpr int kDefault = 40;
  if (const char* lines = std::getenv("LINES")) {
    const auto height = parse_integer(lines);
    if (height && *height > 0 && *height < 10'000) return static_cast<int>(*height);
  }
  winsize size{};
  const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0;
  return known ? size.ws_row : kDefault;
}

bool wait_for(Duration time) {
  (void)poll(nullptr, 0, milliseconds(time));
  return stop_signal() == 0;
}

}  // namespace mimus::emulator::cli
