// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "base/process/command.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <spawn.h>
#include <sstream>
#include <string_view>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <fmt/format.h>

#include "base/error.hpp"

namespace mimus {
namespace {

/// A file in memory. Unlike a pipe it never blocks, and a daemon that keeps it open does no harm.
class MemoryFile {
 public:
  MemoryFile() : descriptor_(::memfd_create("mimus-command", MFD_CLOEXEC)) {
    if (descriptor_ < 0) {
      throw EnvironmentError(fmt::format("cannot make a file in memory: {}", std::strerror(errno)));
    }
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { ::close(descriptor_); }

  [[nodiscard]] int descriptor() const { return descriptor_; }

  void write(const std::string& text) const {
    for (std::size_t done = 0; done < text.size();) {
      const ssize_t count = ::write(descriptor_, text.data() + done, text.size() - done);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) throw EnvironmentError("cannot write the input of a command");
      done += static_cast<std::size_t>(count);
    }
    ::lseek(descriptor_, 0, SEEK_SET);
  }

  [[nodiscard]] std::string read() const {
    std::string text;
    std::array<char, 4096> part{};
    while (true) {
      const ssize_t count =
          ::pread(descriptor_, part.data(), part.size(), static_cast<off_t>(text.size()));
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return text;
      text.append(part.data(), static_cast<std::size_t>(count));
    }
  }

 private:
  int descriptor_;
};

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (auto& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> merged_environment(const Environment& additions) {
  std::vector<std::string> merged;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text{*entry};
    if (!additions.contains(std::string{text.substr(0, text.find('='))})) merged.emplace_back(text);
  }
  for (const auto& [name, value] : additions) merged.push_back(name + "=" + value);
  return merged;
}

/// Starts the command. Returns nothing if there is no such program.
std::optional<pid_t> spawn(std::vector<std::string> command, const Environment& additions,
                           const MemoryFile& input, const MemoryFile& output,
                           const MemoryFile& errors) {
  auto variables = merged_environment(additions);
  posix_spawn_file_actions_t streams{};
  ::posix_spawn_file_actions_init(&streams);
  ::posix_spawn_file_actions_adddup2(&streams, input.descriptor(), STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&streams, output.descriptor(), STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&streams, errors.descriptor(), STDERR_FILENO);
  pid_t child = -1;
  const int failed = ::posix_spawnp(&child, command.front().c_str(), &streams, nullptr,
                                    pointers_to(command).data(), pointers_to(variables).data());
  ::posix_spawn_file_actions_destroy(&streams);
  if (failed == ENOENT) return std::nullopt;
  if (failed != 0) {
    throw EnvironmentError(
        fmt::format("cannot start {}: {}", command.front(), std::strerror(failed)));
  }
  return child;
}

/// The status of `child` once it has exited, or nothing if it has not exited by `deadline`.
std::optional<int> wait_until(pid_t child, WallInstant deadline) {
  constexpr std::chrono::milliseconds kNap{2};
  int status = 0;
  while (true) {
    const pid_t ended = ::waitpid(child, &status, WNOHANG);
    if (ended == child) return status;
    if (ended < 0 && errno != EINTR) throw EnvironmentError("waiting for a command failed");
    if (wall_now() >= deadline) return std::nullopt;
    std::this_thread::sleep_for(kNap);
  }
}

}  // namespace

CommandResult run_command(const std::vector<std::string>& command, Duration timeout,
                          const Environment& additions, const std::string& input) {
  const WallInstant deadline = wall_now() + timeout;
  const MemoryFile standard_input;
  const MemoryFile output;
  const MemoryFile errors;
  standard_input.write(input);
  const auto child = spawn(command, additions, standard_input, output, errors);
  if (!child) return {.was_found = false, .exit_code = 127, .output{}, .errors{}};
  auto status = wait_until(*child, deadline);
  const bool in_time = status.has_value();
  if (!in_time) {
    ::kill(*child, SIGKILL);
    status = wait_until(*child, WallInstant::max());
  }
  const int code = WIFEXITED(*status) ? WEXITSTATUS(*status) : 128 + WTERMSIG(*status);
  return {.in_time = in_time, .exit_code = code, .output = output.read(), .errors = errors.read()};
}

bool has_program(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (::access((folder + "/" + program).c_str(), X_OK) == 0) return true;
  }
  return false;
}

}  // namespace mimus
