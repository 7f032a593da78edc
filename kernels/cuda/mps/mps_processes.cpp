// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/mps/mps_processes.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

namespace mimus::kernels::cuda {
namespace {

namespace fs = std::filesystem;

/// The kernel keeps 15 characters of a program's name. nvidia-cuda-mps-control and
/// nvidia-cuda-mps-server share these.
constexpr const char* kProgramName = "nvidia-cuda-mps";

/// As much as can be read. A process may exit while its files are open. Reading then fails, and
/// iterators over the stream would throw.
std::string contents(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream{path, std::ios::binary}.rdbuf();
  return text.str();
}

/// Whether the process runs a program of MPS. A process that has exited but is not reaped ("Z")
/// does not.
bool is_running_mps(const fs::path& process) {
  const std::string stat = contents(process / "stat");  // `4711 (nvidia-cuda-mps) S 1 ...`
  const auto begin = stat.find('(');
  const auto end = stat.rfind(") ");
  if (begin == std::string::npos || end == std::string::npos || end + 2 >= stat.size())
    return false;
  return stat.substr(begin + 1, end - begin - 1) == kProgramName && stat[end + 2] != 'Z';
}

bool has_variable(const fs::path& process, const std::string& variable) {
  // Entries end with a zero byte. The leading one makes the first entry like the others.
  const std::string environment = std::string(1, '\0') + contents(process / "environ");
  return environment.find('\0' + variable + '\0') != std::string::npos;
}

std::optional<pid_t> process_id(const std::string& text) {
  pid_t id = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  const bool is_number = error == std::errc{} && end != text.data() && id > 0;
  return is_number ? std::optional{id} : std::nullopt;
}

}  // namespace

std::vector<pid_t> mps_processes(const std::string& pipe_directory) {
  const std::string variable = "CUDA_MPS_PIPE_DIRECTORY=" + pipe_directory;
  const auto daemon =
      process_id(contents(fs::path{pipe_directory} / "nvidia-cuda-mps-control.pid"));
  std::vector<pid_t> found;
  std::error_code ignored;  // processes start and exit while we look
  for (const auto& entry : fs::directory_iterator{"/proc", ignored}) {
    const auto id = process_id(entry.path().filename().string());
    if (!id || !is_running_mps(entry.path())) continue;
    if (id == daemon || has_variable(entry.path(), variable)) found.push_back(*id);
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace mimus::kernels::cuda
