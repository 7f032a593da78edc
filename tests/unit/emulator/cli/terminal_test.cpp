// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/cli/text/terminal.hpp"

#include <cstdlib>

#include <gtest/gtest.h>

namespace mimus::emulator::cli {
namespace {

TEST(TerminalWidth, ColumnsVariableDecides) {
  setenv("COLUMNS", "57", 1);

  EXPECT_EQ(terminal_width(), 57);
}

TEST(TerminalWidth, NonsenseInColumnsIsIgnored) {
  for (const char* columns : {"0", "-5", "wide", "", "99999999"}) {
    setenv("COLUMNS", columns, 1);

    EXPECT_GE(terminal_width(), 1) << columns;
    EXPECT_LE(terminal_width(), 10'000) << columns;
  }
}

}  // namespace
}  // namespace mimus::emulator::cli
