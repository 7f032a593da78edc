// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/launch/held_errors.hpp"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sstream>
#include <unistd.h>
#include <utility>

#include "base/error.hpp"
#include "base/time.hpp"

namespace mimus::emulator {
namespace {

constexpr Duration kLongestHold = std::chrono::minutes{1};
constexpr std::size_t kMostHeld = std::size_t{1} << 20U;  ///< [bytes]
constexpr const char* kOfOthers = "mimus: output of MPI and its launcher:\n";

void write_all(const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t count = ::write(STDERR_FILENO, text.data() + at, text.size() - at);
    if (count > 0) at += static_cast<std::size_t>(count);
    if (count < 0 && errno != EINTR) return;
  }
}

}  // namespace

HeldErrors::HeldErrors() {
  if (::pipe2(text_.data(), O_CLOEXEC) != 0 || ::pipe2(control_.data(), O_CLOEXEC) != 0) {
    throw EnvironmentError("cannot read the output of mpirun: no more files can be opened");
  }
  ::fcntl(text_[0], F_SETFL, O_NONBLOCK);
  ::fcntl(control_[0], F_SETFL, O_NONBLOCK);
  // The signal handler that releases the held text waits for this thread. It must not run in it.
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] { pass_on(); });
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void HeldErrors::take_own() const {
  ::dup2(text_[1], STDERR_FILENO);
}

void HeldErrors::release() noexcept {
  released_ = true;
  [[maybe_unused]] const auto written = ::write(control_[1], "r", 1);
}

std::string HeldErrors::finish() {
  if (!thread_.joinable()) return {};
  ::close(control_[1]);
  thread_.join();
  for (const int file : {text_[0], text_[1], control_[0]}) ::close(file);
  return std::exchange(held_, {});
}

void HeldErrors::pass_on() {
  constexpr int kLook_ms = 1000;
  const WallInstant give_up = wall_now() + kLongestHold;
  for (bool over = false; !over;) {
    std::array<pollfd, 2> files{{{text_[0], POLLIN, 0}, {control_[0], POLLIN, 0}}};
    (void)::poll(files.data(), files.size(), released_ ? -1 : kLook_ms);
    over = is_over();
    for (bool more = true; more;) {
      more = take();
      if (wall_now() > give_up || held_.size() > kMostHeld) released_ = true;
      if (released_) write_all(std::exchange(held_, {}));
    }
  }
}

bool HeldErrors::is_over() const {
  char said = 0;
  ssize_t count = 0;
  while ((count = ::read(control_[0], &said, 1)) > 0) continue;
  return count == 0;
}

bool HeldErrors::take() {
  constexpr std::size_t kAtOnce = 4096;
  std::array<char, kAtOnce> bytes{};
  const ssize_t count = ::read(text_[0], bytes.data(), bytes.size());
  if (count <= 0) return false;
  held_.append(bytes.data(), static_cast<std::size_t>(count));
  return true;
}

/// Continuation lines of a message begin with blanks.
std::string in_order(const std::string& held) {
  std::string own;
  std::string others;
  bool is_own = false;
  std::istringstream lines(held);
  for (std::string line; std::getline(lines, line);) {
    is_own = line.starts_with("mimus") || (is_own && line.starts_with(' '));
    (is_own ? own : others) += line + '\n';
  }
  return others.empty() ? own : own + kOfOthers + others;
}

}  // namespace mimus::emulator
