// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/stop_signal.hpp"

#include <csignal>
#include <initializer_list>

#include <fmt/format.h>

namespace mimus::emulator {
namespace {

volatile std::sig_atomic_t g_stop_signal = 0;

extern "C" void remember_signal(int signal) {
  if (g_stop_signal == 0) g_stop_signal = signal;  // what follows only passes it on
}

void handle(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  sigaction(signal, &action, nullptr);
}

const char* signal_text(int signal) {
  switch (signal) {
    case SIGINT:
      return "SIGINT (Ctrl-C)";
    case SIGTERM:
      return "SIGTERM";
    case SIGUSR1:
      return "SIGUSR1";
    default:
      return "a signal";
  }
}

}  // namespace

void install_stop_handlers() {
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1}) handle(signal, remember_signal);
}

void ignore_stop_signals() {
  for (const int signal : {SIGINT, SIGUSR1}) handle(signal, SIG_IGN);
  handle(SIGTERM, SIG_DFL);  // of virtual cells before
}

int stop_signal() {
  return g_stop_signal;
}

std::string stop_text(int signal) {
  return fmt::format("stopped by {}; run the same command again to resume", signal_text(signal));
}

}  // namespace mimus::emulator
