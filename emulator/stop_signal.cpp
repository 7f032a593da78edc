// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/stop_signal.hpp"

#include <csignal>
#include <initializer_list>
#include <unistd.h>

#include <fmt/format.h>

namespace mimus::emulator {
namespace {

volatile std::sig_atomic_t g_stop_signal = 0;

extern "C" void remember_signal(int signal) {
  if (g_stop_signal == 0) g_stop_signal = signal;  // later signals only repeat the first
}

std::atomic<std::int32_t>* g_told_to_end = nullptr;
const std::atomic<std::int32_t>* g_rank_0_aborts = nullptr;
static_assert(std::atomic<std::int32_t>::is_always_lock_free);

/// Open MPI's launcher sends SIGTERM and SIGKILL as soon as the first rank has died of a signal.
/// Rank 0 needs a moment between them to report what happened and to end the other ranks in good
/// order, unless it already has.
extern "C" void note_and_end_soon(int signal) {
  constexpr unsigned kGrace_s = 2;
  *g_told_to_end = 1;
  if (*g_rank_0_aborts == 0) {
    ::alarm(kGrace_s);
  } else {
    std::signal(signal, SIG_DFL);
    std::raise(signal);  // takes effect when this handler returns
  }
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
    case SIGHUP:
      return "SIGHUP (its terminal was closed)";
    case SIGUSR1:
      return "SIGUSR1";
    default:
      return "a signal";
  }
}

}  // namespace

void handle_stop_signals(void (*handler)(int)) {
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1}) handle(signal, handler);
  // A run that is started under nohup is meant to outlive the terminal.
  struct sigaction inherited {};
  ::sigaction(SIGHUP, nullptr, &inherited);
  if (inherited.sa_handler != SIG_IGN) handle(SIGHUP, handler);
}

void install_stop_handlers() {
  handle_stop_signals(remember_signal);
}

void leave_stop_signals_to_rank_0(std::atomic<std::int32_t>& told_to_end,
                                  const std::atomic<std::int32_t>& rank_0_aborts) {
  g_told_to_end = &told_to_end;
  g_rank_0_aborts = &rank_0_aborts;
  for (const int signal : {SIGINT, SIGHUP, SIGUSR1}) handle(signal, SIG_IGN);
  handle(SIGTERM, note_and_end_soon);
  handle(SIGALRM, SIG_DFL);
}

int stop_signal() {
  return g_stop_signal;
}

std::string stop_text(int signal) {
  return fmt::format("stopped by {}; run the same command again to resume", signal_text(signal));
}

}  // namespace mimus::emulator
