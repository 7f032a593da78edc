// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <string>
#include <thread>

namespace mimus::emulator {

/// While it lives, what programs that are started now write to stdout passes through here, on its
/// way to this process's stdout. The line with `greeting` is not passed on: it is told. What ranks
/// print reaches their mpirun from every host, so this tells that one of them has started.
class GreetedOutput {
 public:
  /// `on_greeting` is called in a thread of its own. EnvironmentError where there are no pipes
  /// left.
  GreetedOutput(std::string greeting, std::function<void()> on_greeting);
  GreetedOutput(const GreetedOutput&) = delete;
  GreetedOutput& operator=(const GreetedOutput&) = delete;
  ~GreetedOutput() { finish(); }

  /// Passes on what is there, and gives stdout back; whether the greeting came. Programs that still
  /// run write in vain.
  bool finish();

 private:
  void pass_on();
  void take(const char* bytes, std::size_t count);
  void write_out(const std::string& text) const;

  std::string greeting_;
  std::function<void()> on_greeting_;
  bool greeted_ = false;
  std::array<int, 2> output_{-1, -1};  ///< what programs write
  std::array<int, 2> end_{-1, -1};     ///< closed when nobody is waited for any more
  int stdout_ = -1;                    ///< where stdout went before
  std::string line_;                   ///< the beginning of one, until the greeting has come
  std::thread thread_;
};

}  // namespace mimus::emulator
