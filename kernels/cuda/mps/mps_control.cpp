// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/mps/mps_control.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/process/command.hpp"

namespace mimus::kernels::cuda {
namespace {

std::string default_pipe_directory() {
  const char* path = std::getenv("CUDA_MPS_PIPE_DIRECTORY");
  return path != nullptr && *path != '\0' ? path : "/tmp/nvidia-mps";
}

/// The process ids in the lines of `text`.
std::vector<pid_t> process_ids(const std::string& text) {
  std::vector<pid_t> ids;
  std::istringstream words{text};
  for (std::string word; words >> word;) {
    pid_t id = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), id);
    if (error == std::errc{} && end == word.data() + word.size() && id > 0) ids.push_back(id);
  }
  return ids;
}

/// A daemon started by root may serve other users, too. A process that is not visible in this PID
/// namespace is assumed to be ours.
bool is_of_another_user(pid_t process) {
  struct stat entry {};
  const std::string path = fmt::format("/proc/{}", process);
  return ::stat(path.c_str(), &entry) == 0 && entry.st_uid != ::geteuid();
}

std::string why_no_answer(const CommandResult& result, const std::string& command,
                          Duration timeout) {
  if (!result.was_found) {
    return fmt::format("{} is not in PATH; it comes with the NVIDIA driver", kMpsControlProgram);
  }
  if (!result.in_time) {
    return fmt::format("the MPS control daemon did not answer \"{}\" within {:.1f} s", command,
                       to_seconds(timeout));
  }
  return fmt::format("{} exited with code {} on \"{}\": {}", kMpsControlProgram, result.exit_code,
                     command, result.output.empty() ? "no output" : result.output);
}

}  // namespace

MpsAnswer ask_mps(const std::string& pipe_directory, const std::string& command, Duration timeout) {
  auto result = run_command({kMpsControlProgram}, timeout,
                            {{"CUDA_MPS_PIPE_DIRECTORY", pipe_directory}}, command + "\n");
  result.output += result.errors;
  while (!result.output.empty() && result.output.back() == '\n') result.output.pop_back();
  // Some versions exit with 0 although they find no daemon.
  const bool found = result.output.find("Cannot find MPS control daemon") == std::string::npos;
  if (result.was_found && result.in_time && result.exit_code == 0 && found) {
    return {true, std::move(result.output), ""};
  }
  return {false, result.output, why_no_answer(result, command, timeout)};
}

MpsActivity mps_active(std::optional<pid_t> client, const std::string& pipe_directory,
                       Duration timeout) {
  const std::string folder = pipe_directory.empty() ? default_pipe_directory() : pipe_directory;
  MpsActivity activity;
  if (client) activity.client_connected = false;
  const MpsAnswer list = ask_mps(folder, "get_server_list", timeout);
  activity.daemon_answers = list.ok;
  if (!list.ok) {
    activity.reason = fmt::format("no MPS at {}: {}", folder, list.reason);
    return activity;
  }
  activity.servers = process_ids(list.text);
  std::erase_if(activity.servers, is_of_another_user);
  if (activity.servers.empty()) {
    activity.reason = fmt::format(
        "the MPS control daemon at {} has no server for this user: no CUDA program has connected "
        "to it yet",
        folder);
  }
  for (const pid_t server : activity.servers) {
    const MpsAnswer clients = ask_mps(folder, fmt::format("get_client_list {}", server), timeout);
    if (!clients.ok) activity.reason = clients.reason;
    const auto ids = process_ids(clients.ok ? clients.text : "");
    activity.clients.insert(activity.clients.end(), ids.begin(), ids.end());
  }
  if (!client) return activity;
  const auto& ids = activity.clients;
  activity.client_connected = std::find(ids.begin(), ids.end(), *client) != ids.end();
  if (!*activity.client_connected && activity.reason.empty()) {
    activity.reason = fmt::format(
        "process {} is not among the {} clients of MPS at {}: was it started with this "
        "CUDA_MPS_PIPE_DIRECTORY, and has it used CUDA?",
        *client, ids.size(), folder);
  }
  return activity;
}

}  // namespace mimus::kernels::cuda
