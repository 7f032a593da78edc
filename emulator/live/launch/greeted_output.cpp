// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/launch/greeted_output.hpp"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>
#include <utility>

#include "base/error.hpp"

namespace mimus::emulator {

GreetedOutput::GreetedOutput(std::vector<Greeting> greetings) : greetings_(std::move(greetings)) {
  std::fflush(stdout);
  stdout_ = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
  if (stdout_ < 0 || ::pipe2(output_.data(), O_CLOEXEC) != 0 ||
      ::pipe2(end_.data(), O_CLOEXEC) != 0 || ::dup2(output_[1], STDOUT_FILENO) < 0) {
    throw EnvironmentError("cannot read the output of mpirun: no more files can be opened");
  }
  ::close(output_[1]);
  thread_ = std::thread([this] { pass_on(); });
}

bool GreetedOutput::finish() {
  if (!thread_.joinable()) return heard_ > 0;
  std::fflush(stdout);
  ::dup2(stdout_, STDOUT_FILENO);
  ::close(end_[1]);
  thread_.join();
  for (const int file : {output_[0], end_[0], stdout_}) ::close(file);
  return heard_ > 0;
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
    ended = ended || count == 0;  // end of file: all writers have closed it
  }
  write_out(line_);
}

void GreetedOutput::take(const char* bytes, std::size_t count) {
  line_.append(bytes, count);
  std::size_t end = 0;
  while (heard_ < greetings_.size() && (end = line_.find('\n')) != std::string::npos) {
    const std::string line = line_.substr(0, end + 1);
    line_.erase(0, end + 1);
    const Greeting& next = greetings_[heard_];
    if (line.find(next.line) == std::string::npos) {  // mpirun may prefix the line with the rank
      write_out(line);
    } else {
      ++heard_;
      if (next.on_it) next.on_it();
    }
  }
  if (heard_ == greetings_.size()) write_out(std::exchange(line_, {}));
}

void GreetedOutput::write_out(const std::string& text) const {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t count = ::write(stdout_, text.data() + at, text.size() - at);
    if (count > 0) at += static_cast<std::size_t>(count);
    if (count < 0 && errno != EINTR) return;
  }
}

}  // namespace mimus::emulator
