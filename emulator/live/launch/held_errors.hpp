// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <string>
#include <thread>

namespace mimus::emulator {

/// Holds back what an mpirun and its ranks write to stderr until it is released. When a rank dies
/// while the ranks start, the libraries of all of them print messages, which would hide what has
/// happened.
class HeldErrors {
 public:
  /// EnvironmentError where there are no pipes left.
  HeldErrors();
  HeldErrors(const HeldErrors&) = delete;
  HeldErrors& operator=(const HeldErrors&) = delete;
  ~HeldErrors() { (void)finish(); }

  /// For a child that is about to become another program: its stderr is held here.
  void take_own() const;
  /// Passes what is held, and from now on everything, to this process's stderr at once. This also
  /// happens by itself after a minute, because ranks that hang may have printed the reason. May be
  /// called by a signal handler.
  void release() noexcept;
  /// Takes only what is there, and returns what has not been passed on. What programs write from
  /// then on is lost.
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

/// The held output of a failed world for people: first the messages of Mimus's ranks, then those of
/// the libraries under a heading. "" if there are none.
[[nodiscard]] std::string in_order(const std::string& held);

}  // namespace mimus::emulator
