// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/stop_signal.hpp"

#include <csignal>
#include <initializer_list>

namespace mimus::emulator {
namespace {

volatile std::sig_atomic_t g_stop_signal = 0;

extern "C" void remember_signal(int signal) {
  g_stop_signal = signal;
}

void handle(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  sigaction(signal, &action, nullptr);
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

}  // namespace mimus::emulator
