// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/mps/mps_guardian.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/error.hpp"
#include "kernels/cuda/mps/mps_end.hpp"

namespace mimus::kernels::cuda {
namespace {

constexpr const char* kNowhere = "/dev/null";  // a reader of our output may wait until it is closed

/// Starts the command in its own session with this stdin. Returns an errno, or 0.
int spawn(pid_t& process, std::vector<std::string>& command, int standard_input) {
  std::vector<char*> arguments;
  for (auto& word : command) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawnattr_t attributes{};
  ::posix_spawnattr_init(&attributes);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
  posix_spawn_file_actions_t streams{};
  ::posix_spawn_file_actions_init(&streams);
  ::posix_spawn_file_actions_adddup2(&streams, standard_input, STDIN_FILENO);
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
    ::posix_spawn_file_actions_addopen(&streams, stream, kNowhere, O_WRONLY, 0);
  }
  const int failed =
      ::posix_spawnp(&process, arguments.front(), &streams, &attributes, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&streams);
  ::posix_spawnattr_destroy(&attributes);
  return failed;
}

}  // namespace

MpsGuardian::MpsGuardian(std::vector<std::string> command, const std::string& pipe_directory) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw EnvironmentError(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  }
  command.push_back(pipe_directory);
  const int failed = spawn(process_, command, ends[0]);
  ::close(ends[0]);
  if (failed != 0) {
    ::close(ends[1]);
    throw EnvironmentError(
        fmt::format("cannot start {}, which is to end MPS if this process dies: "
                    "{}",
                    command.front(), std::strerror(failed)));
  }
  lifeline_ = ends[1];
}

MpsGuardian::~MpsGuardian() {
  ::kill(process_, SIGKILL);
  while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) continue;
  ::close(lifeline_);
}

void guard_mps(int lifeline, const std::string& pipe_directory) {
  constexpr Duration kPatience = std::chrono::seconds{20};
  char unused = 0;
  ssize_t bytes = 0;
  do {
    bytes = ::read(lifeline, &unused, 1);
  } while (bytes > 0 || (bytes < 0 && errno == EINTR));
  end_mps(pipe_directory, kPatience);
}

}  // namespace mimus::kernels::cuda
