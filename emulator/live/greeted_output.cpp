// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/greeted_output.hpp"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>
#include <utility>

#include "base/error.hpp"

namespace mimus::emulator {

GreetedOutput::GreetedOutput(std::string greeting, std::function<void()> on_greeting)
    : greeting_(std::move(greeting)), on_greeting_(std::move(on_greeting)) {
  std::fflush(stdout);
  stdout_ = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
  if (stdout_ < 0 || ::pipe2(output_.data(), O_CLOEXEC) != 0 ||
      ::pipe2(end_.data(), O_CLOEXEC) != 0 || ::dup2(output_[1], STDOUT_FILENO) < 0) {
    throw EnvironmentError("cannot take what mpirun prints: no more files can be opened");
  }
  ::close(output_[1]);
  thread_ = std::thread([this] { pass_on(); });
}

bool GreetedOutput::finish() {
  if (!thread_.joinable()) return greeted_;
  std::fflush(stdout);
  ::dup2(stdout_, STDOUT_FILENO);
  ::close(end_[1]);
  thread_.join();
  for (const int file : {output_[0], end_[0], stdout_}) ::close(file);
  return greeted_;
}

void GreetedOutput::pass_on() {
  constexpr std::size_t kAtOnce = 4096;
  std::array<char, kAtOnce> bytes{};
  ::fcntl(output_[0], F_SETFL, O_NONBLOCK);
  for (bool ended = false; !ended;) {
    std::array<pollfd, 2> files{{{output_[0], POLLIN, 0}, {end_[0], 0, 0}}};
    if (::poll(files.data(), files.size(), -1) < 0 && errno == EINTR) continue;
    ended = files[1].revents != 0;
    ssize_t count = 0;
    while ((count = ::read(output_[0], bytes.data(), bytes.size())) > 0) {
      take(bytes.data(), static_cast<std::size_t>(count));
    }
    ended = ended || count == 0;  // nobody is left who could write
  }
  write_out(line_);
}

void GreetedOutput::take(const char* bytes, std::size_t count) {
  line_.append(bytes, count);
  for (std::size_t end = 0; !greeted_ && (end = line_.find('\n')) != std::string::npos;) {
    const std::string line = line_.substr(0, end + 1);
    line_.erase(0, end + 1);
    greeted_ = line.find(greeting_) != std::string::npos;  // mpirun may say first who says it
    if (!greeted_) write_out(line);
    if (greeted_ && on_greeting_) on_greeting_();
  }
  if (greeted_) write_out(std::exchange(line_, {}));
}

void GreetedOutput::write_out(const std::string& text) const {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t count = ::write(stdout_, text.data() + at, text.size() - at);
    if (count > 0) at += static_cast<std::size_t>(count);
    if (count < 0 && errno != EINTR) return;
  }
}

}  // namespace mimus::emulator
