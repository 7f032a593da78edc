// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace mimus::emulator {

/// A line that a rank prints for its launcher, and the reaction to it.
struct Greeting {
  std::string line;
  std::function<void()> on_it = {};  ///< called in its own thread
};

/// Passes on the stdout of programs that are started while it exists to this process's stdout.
/// Lines with greetings are not passed on. They are recognised in their fixed order. Output of
/// ranks reaches their mpirun from every host, so greetings show how far the ranks have come.
class GreetedOutput {
 public:
  /// EnvironmentError where there are no pipes left.
  explicit GreetedOutput(std::vector<Greeting> greetings);
  GreetedOutput(const GreetedOutput&) = delete;
  GreetedOutput& operator=(const GreetedOutput&) = delete;
  ~GreetedOutput() { finish(); }

  /// Passes on what is there, and restores stdout. Returns whether the first greeting came. What
  /// programs write from then on is lost.
  bool finish();

 private:
  void pass_on();
  void take(const char* bytes, std::size_t count);
  void write_out(const std::string& text) const;

  std::vector<Greeting> greetings_;
  std::size_t heard_ = 0;              ///< of the greetings
  std::array<int, 2> output_{-1, -1};  ///< what programs write
  std::array<int, 2> end_{-1, -1};     ///< closed when no rank is waited for any more
  int stdout_ = -1;                    ///< where stdout went before
  std::string line_;                   ///< the beginning of one, until all greetings have come
  std::thread thread_;
};

}  // namespace mimus::emulator
