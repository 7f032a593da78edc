// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/stop_signal.hpp"

#include <csignal>

#include <gtest/gtest.h>

namespace mimus::emulator {
namespace {

TEST(StopSignal, AClosedTerminalStopsARunUnlessItWasStartedUnderNohup) {
  std::signal(SIGHUP, SIG_IGN);
  install_stop_handlers();
  std::raise(SIGHUP);
  EXPECT_EQ(stop_signal(), 0);

  std::signal(SIGHUP, SIG_DFL);
  install_stop_handlers();
  std::raise(SIGHUP);
  EXPECT_EQ(stop_signal(), SIGHUP);
  EXPECT_EQ(stop_text(stop_signal()),
            "stopped by SIGHUP (its terminal was closed); run the same command again to resume");
}

}  // namespace
}  // namespace mimus::emulator
