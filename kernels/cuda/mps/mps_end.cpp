// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/mps/mps_end.hpp"

#include <csignal>
#include <exception>
#include <filesystem>
#include <thread>

#include "kernels/cuda/mps/mps_control.hpp"
#include "kernels/cuda/mps/mps_processes.hpp"

namespace mimus::kernels::cuda {
namespace {

/// Waits until no process of MPS is left. Returns false if `deadline` comes first.
bool wait_until_gone(const std::string& pipe_directory, WallInstant deadline) {
  constexpr std::chrono::milliseconds kLook{20};
  while (!mps_processes(pipe_directory).empty()) {
    if (wall_now() >= deadline) return false;
    std::this_thread::sleep_for(kLook);
  }
  return true;
}

bool quits(const std::string& pipe_directory, Duration patience) noexcept {
  try {
    const WallInstant deadline = wall_now() + patience;
    const MpsAnswer answer = ask_mps(pipe_directory, "quit", patience);
    return answer.ok && wait_until_gone(pipe_directory, deadline);
  } catch (const std::exception&) {  // the daemon cannot be asked to end, so it is killed
    return false;
  }
}

void remove(const std::string& pipe_directory) noexcept {
  std::error_code ignored;
  std::filesystem::remove_all(pipe_directory, ignored);
}

}  // namespace

MpsEnd end_mps(const std::string& pipe_directory, Duration patience) noexcept {
  MpsEnd end = MpsEnd::before;
  if (!mps_processes(pipe_directory).empty()) {
    end = quits(pipe_directory, patience) ? MpsEnd::asked : MpsEnd::killed;
  }
  if (end == MpsEnd::killed) {
    kill_mps(pipe_directory);
  } else {
    remove(pipe_directory);
  }
  return end;
}

/// On a busy host a killed process takes a moment to exit. Its folder is removed afterwards.
void kill_mps(const std::string& pipe_directory) noexcept {
  constexpr Duration kLongestEnd = std::chrono::seconds{5};
  for (const pid_t process : mps_processes(pipe_directory)) ::kill(process, SIGKILL);
  static_cast<void>(wait_until_gone(pipe_directory, wall_now() + kLongestEnd));
  remove(pipe_directory);
}

}  // namespace mimus::kernels::cuda
