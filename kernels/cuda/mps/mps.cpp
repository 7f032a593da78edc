// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/mps/mps.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/un.h>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/log.hpp"
#include "kernels/cuda/mps/mps_end.hpp"
#include "kernels/cuda/mps/mps_processes.hpp"

namespace mimus::kernels::cuda {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kNap{20};
/// The longest name of a socket that the daemon makes in its pipe directory.
constexpr std::string_view kLongestSocket = "/control_privileged";
constexpr std::size_t kLongestDirectory = sizeof(sockaddr_un::sun_path) - 1 - kLongestSocket.size();

std::string new_temporary_folder() {
  std::string pattern = (fs::temp_directory_path() / "mimus-mps-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) {
    throw EnvironmentError(fmt::format("cannot make a folder for MPS like {}", pattern));
  }
  return pattern;
}

/// `(log /x/control.log: "its last line")`
std::string log_note(const std::string& path) {
  std::ifstream file{path};
  std::string last;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty()) last = line;
  }
  if (last.empty()) return fmt::format("(log {}: empty or missing)", path);
  return fmt::format("(log {}: \"{}\")", path, last);
}

}  // namespace

MpsServer::MpsServer(Options options) : options_(std::move(options)) {
  const WallInstant deadline = wall_now() + options_.start_timeout;
  make_folders();
  try {
    if (!options_.guardian.empty()) guardian_.emplace(options_.guardian, pipe_directory_);
    launch(deadline);
    wait_for_answer(deadline);
  } catch (...) {
    kill_mps(pipe_directory_);  // leaves the log, which the error refers to
    throw;
  }
}

void MpsServer::make_folders() {
  folder_ = options_.folder.empty() ? new_temporary_folder()
                                    : fs::absolute(options_.folder).lexically_normal().string();
  pipe_directory_ = (fs::path{folder_} / "pipe").string();
  log_directory_ = (fs::path{folder_} / "log").string();
  if (pipe_directory_.size() > kLongestDirectory) {
    throw EnvironmentError(fmt::format(
        "the path of MPS's pipe directory {} has {} bytes, at most {} are allowed: MPS makes Unix "
        "sockets in it, whose paths Linux limits to 108 bytes; choose a folder with a shorter path",
        pipe_directory_, pipe_directory_.size(), kLongestDirectory));
  }
  if (fs::exists(pipe_directory_)) {
    throw EnvironmentError(
        fmt::format("{} exists already, perhaps from a running MPS daemon; choose another folder, "
                    "or end that daemon and remove it",
                    pipe_directory_));
  }
  try {
    for (const auto& path : {pipe_directory_, log_directory_}) {
      fs::create_directories(path);
      fs::permissions(path, fs::perms::owner_all);
    }
  } catch (const fs::filesystem_error& error) {
    throw EnvironmentError(fmt::format("cannot make the folders of MPS: {}", error.what()));
  }
}

void MpsServer::launch(WallInstant deadline) const {
  const auto started =
      run_command({kMpsControlProgram, "-d"}, deadline - wall_now(), environment());
  if (!started.was_found) {
    throw EnvironmentError(
        fmt::format("MPS cannot be started: {} is not in PATH; it comes with the NVIDIA driver",
                    kMpsControlProgram));
  }
  if (!started.in_time) {
    throw TimeoutError("start of the MPS control daemon", options_.start_timeout,
                       fmt::format("{} -d did not return {}; is the GPU driver hanging?",
                                   kMpsControlProgram, log_note(log_file())));
  }
  if (started.exit_code != 0) {
    throw EnvironmentError(
        fmt::format("start of the MPS control daemon: {} -d exited with code {} "
                    "and said \"{}\" {}",
                    kMpsControlProgram, started.exit_code, started.output + started.errors,
                    log_note(log_file())));
  }
}

void MpsServer::wait_for_answer(WallInstant deadline) const {
  constexpr int kLooks = 3;  // one look may miss a process that is just being started
  int looks_without_process = 0;
  std::string reason = "there was no time left to ask it";
  while (wall_now() < deadline) {
    const MpsAnswer answer = ask_mps(pipe_directory_, "get_server_list", deadline - wall_now());
    if (answer.ok) return;
    reason = answer.reason;
    looks_without_process = mps_processes(pipe_directory_).empty() ? looks_without_process + 1 : 0;
    if (looks_without_process == kLooks) {
      throw EnvironmentError(fmt::format("the MPS control daemon died right after its start {}; {}",
                                         log_note(log_file()), reason));
    }
    std::this_thread::sleep_for(kNap);
  }
  throw TimeoutError("first answer of the MPS control daemon", options_.start_timeout,
                     fmt::format("{} {}", reason, log_note(log_file())));
}

MpsServer::~MpsServer() {
  stop();
}

void MpsServer::stop() noexcept {
  const MpsEnd end = end_mps(pipe_directory_, options_.stop_timeout);
  if (end == MpsEnd::before) {
    log::warn("the MPS control daemon ended before it was stopped {}", log_note(log_file()));
  } else if (end == MpsEnd::killed) {
    log::warn("stop of the MPS control daemon: it did not quit within {:.1f} s and was killed {}",
              to_seconds(options_.stop_timeout), log_note(log_file()));
  } else if (options_.folder.empty() || options_.removes_folder) {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
}

Environment MpsServer::environment() const {
  return {{"CUDA_MPS_PIPE_DIRECTORY", pipe_directory_}, {"CUDA_MPS_LOG_DIRECTORY", log_directory_}};
}

MpsActivity MpsServer::activity(std::optional<pid_t> client) const {
  return mps_active(client, pipe_directory_);
}

}  // namespace mimus::kernels::cuda
