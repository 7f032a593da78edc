// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <string>
#include <thread>

namespace mimus::emulator {

/// What an mpirun and its ranks write to stderr is held back here until it is released. When a rank
/// dies while the ranks start, the libraries of all of them have something to say, and what has
/// happened would stand below it.
class HeldErrors {
 public:
  /// EnvironmentError where there are no pipes left.
  HeldErrors();
  HeldErrors(const HeldErrors&) = delete;
  HeldErrors& operator=(const HeldErrors&) = delete;
  ~HeldErrors() { (void)finish(); }

  /// In a child that is about to become another program: its stderr comes here.
  void take_own() const;
  /// What is held, and from now on all that comes, goes to this process's stderr at once; so it
  /// does by itself after a minute, as ranks that hang may have said why. May be called by a signal
  /// handler.
  void release() noexcept;
  /// Takes what is there, and no more; what has not been passed on. What programs write from then
  /// on is lost.
  [[nodiscard]] std::string finish();

 private:
  void pass_on();
  [[nodiscard]] bool is_over() const;
  bool take();  ///< false where nothing is there

  std::array<int, 2> text_{-1, -1};     ///< what programs write
  std::array<int, 2> control_{-1, -1};  ///< written to on release, closed at the end
  std::atomic<bool> released_ = false;
  std::string held_;
  std::thread thread_;
};

/// What was held of a world that came to nothing, as people read it: what Mimus's ranks have said,
/// then under a heading what the libraries have. "" where nothing was said.
[[nodiscard]] std::string in_order(const std::string& held);

}  // namespace mimus::emulator
