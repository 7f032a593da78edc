// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/slurm/program_run.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/error.hpp"

namespace mimus::emulator {
namespace {

/// Both ends of a pipe, closed when done.
struct Pipe {
  std::array<int, 2> ends{-1, -1};
  Pipe() {
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw EnvironmentError("cannot make a pipe");
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    ::close(ends[0]);
    close_writer();
  }
  void close_writer() {
    if (ends[1] >= 0) ::close(ends[1]);
    ends[1] = -1;
  }
};

[[noreturn]] void become(const std::vector<std::string>& command, const Pipe& output,
                         const Pipe& errors) {
  ::dup2(output.ends[1], STDOUT_FILENO);
  ::dup2(errors.ends[1], STDERR_FILENO);
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::execvp(arguments.front(), arguments.data());
  std::_Exit(127);
}

/// Appends what can be read; false at the end of the stream.
bool drain(int stream, std::string& into) {
  std::array<char, 4096> buffer{};
  const ssize_t count = ::read(stream, buffer.data(), buffer.size());
  if (count < 0) return errno == EINTR;
  into.append(buffer.data(), static_cast<std::size_t>(count));
  return count > 0;
}

/// Reads both streams until both end; false when `give_up` comes first.
bool read_both(Pipe& output, Pipe& errors, WallInstant give_up, ProgramOutput& result) {
  output.close_writer();
  errors.close_writer();
  std::array<pollfd, 2> streams{{{output.ends[0], POLLIN, 0}, {errors.ends[0], POLLIN, 0}}};
  while (streams[0].fd >= 0 || streams[1].fd >= 0) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(give_up - wall_now()).count();
    if (left <= 0) return false;
    if (::poll(streams.data(), streams.size(), static_cast<int>(left)) < 0) continue;
    if (streams[0].revents != 0 && !drain(streams[0].fd, result.output)) streams[0].fd = -1;
    if (streams[1].revents != 0 && !drain(streams[1].fd, result.errors)) streams[1].fd = -1;
  }
  return true;
}

int exit_code_of(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw EnvironmentError("waiting for a program failed");
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

bool has_program(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (::access((folder + "/" + program).c_str(), X_OK) == 0) return true;
  }
  return false;
}

ProgramOutput run_program(const std::vector<std::string>& command, Duration timeout) {
  Pipe output;
  Pipe errors;
  const pid_t child = ::fork();
  if (child < 0) throw EnvironmentError("cannot start another process: fork failed");
  if (child == 0) become(command, output, errors);
  ProgramOutput result;
  const bool in_time = read_both(output, errors, wall_now() + timeout, result);
  if (!in_time) ::kill(child, SIGKILL);
  result.exit_code = exit_code_of(child);
  if (!in_time) {
    throw TimeoutError(command.front(), timeout, "it was ended; is the batch system reachable?");
  }
  return result;
}

}  // namespace mimus::emulator
