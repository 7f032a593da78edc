// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/cli/text/terminal.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/error.hpp"
#include "base/quantity_text.hpp"

namespace mimus::emulator::cli {
namespace {

constexpr int kDefaultWidth = 100;
constexpr int kWidest = 10'000;

}  // namespace

int terminal_width() {
  if (const char* columns = std::getenv("COLUMNS")) {
    const auto width = parse_integer(columns);
    if (width && *width > 0 && *width <= kWidest) return static_cast<int>(*width);
  }
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return kDefaultWidth;
}

void print(std::string_view text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (!written || std::fflush(stdout) != 0) {
    throw IoError("standard output", std::string("cannot be written: ") + std::strerror(errno));
  }
}

}  // namespace mimus::emulator::cli
