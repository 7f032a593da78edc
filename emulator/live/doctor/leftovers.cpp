// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/doctor/leftovers.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include <fmt/format.h>

namespace mimus::emulator {
namespace {

namespace fs = std::filesystem;

/// Age below which a process may still be between creating its segment and mapping it.
constexpr std::chrono::seconds kYoung{1};

std::string host_name() {
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  return host.data();
}

/// The folder, by the variables and the order that Open MPI uses.
std::string temporary_folder() {
  for (const char* name : {"TMPDIR", "TEMP", "TMP"}) {
    const char* folder = std::getenv(name);
    if (folder != nullptr && *folder != '\0') return folder;
  }
  return "/tmp";
}

bool is_own(const fs::path& path) {
  struct stat found {};
  return ::lstat(path.c_str(), &found) == 0 && found.st_uid == ::geteuid();
}

bool is_young(const fs::path& path) {
  std::error_code none;
  const auto written = fs::last_write_time(path, none);
  return none || fs::file_time_type::clock::now() - written < kYoung;
}

std::vector<fs::path> entries(const fs::path& folder, const std::string& prefix) {
  std::vector<fs::path> out;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    const bool wanted = entry.path().filename().string().starts_with(prefix);
    if (wanted && is_own(entry.path())) out.push_back(entry.path());
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// Paths of files below `folder` that are mapped by processes that this user may inspect. Processes
/// of other users cannot map this user's files.
std::set<std::string> mapped_files(const std::string& folder) {
  std::set<std::string> out;
  std::error_code none;
  for (const auto& process : fs::directory_iterator("/proc", none)) {
    std::ifstream maps(process.path() / "maps");
    for (std::string line; std::getline(maps, line);) {
      const std::size_t path = line.find(folder + "/");
      if (path != std::string::npos) out.insert(line.substr(path));
    }
  }
  return out;
}

/// Whether `session` is named "pid.123" and this process no longer exists.
bool is_of_the_dead(const fs::path& session) {
  const std::string name = session.filename();
  constexpr std::size_t kNumber = 4;  // length of "pid."
  long pid = 0;
  const auto end = std::from_chars(name.data() + kNumber, name.data() + name.size(), pid);
  const bool named = end.ec == std::errc{} && end.ptr == name.data() + name.size();
  std::error_code none;
  return named && !fs::exists(fmt::format("/proc/{}", pid), none);
}

}  // namespace

std::vector<std::string> find_leftovers(const LeftoverPlaces& places) {
  const std::string owner = fmt::format("{}.{}", host_name(), ::geteuid());
  std::vector<std::string> out;
  const auto segments = entries(places.shared_memory, fmt::format("vader_segment.{}.", owner));
  const auto mapped =
      mapped_files(places.shared_memory);  // read after the names, so that new files are not listed
  for (const fs::path& segment : segments) {
    if (!is_young(segment) && !mapped.contains(segment)) out.push_back(segment);
  }
  const std::string temporary = places.temporary.empty() ? temporary_folder() : places.temporary;
  for (const fs::path& session : entries(fmt::format("{}/ompi.{}", temporary, owner), "pid.")) {
    if (is_of_the_dead(session)) out.push_back(session);
  }
  return out;
}

std::vector<std::string> remove_leftovers(const LeftoverPlaces& places) {
  std::vector<std::string> out = find_leftovers(places);
  std::erase_if(out, [](const std::string& path) {
    std::error_code failed;
    fs::remove_all(path, failed);
    return static_cast<bool>(failed);
  });
  return out;
}

}  // namespace mimus::emulator
