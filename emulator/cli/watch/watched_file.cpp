// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/cli/watch/watched_file.hpp"

#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/log.hpp"
#include "results/campaign/campaign_file.hpp"
#include "results/file/checksums.hpp"
#include "results/file/file_lock.hpp"
#include "results/profile_file.hpp"

namespace mimus::emulator::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPart = ".part";

/// Orders files: growing files come last, and newer ones after older ones.
struct Rank {
  bool grows = false;
  fs::file_time_type changed;
  bool operator<(const Rank& other) const {
    return grows != other.grows ? other.grows : changed < other.changed;
  }
};

/// A profile that mimus calibrate writes is not a cell, and a damaged complete file is useless. A
/// file that cannot be read yet may become a cell.
bool is_left_out(const fs::path& file) {
  try {
    return results::is_profile(file.string());
  } catch (const results::DamagedError& damaged) {
    if (file.extension() == kPart) return false;
    log::warn("left out: {}", damaged.what());
    return true;
  } catch (const Error&) {
    return false;
  }
}

std::string newest_in(const fs::path& folder) {
  std::string best;
  Rank best_rank;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (!results::is_cell_file(entry.path().filename().string())) continue;
    std::error_code gone;  // the file may be renamed meanwhile
    const Rank rank{is_growing(entry.path().string()), fs::last_write_time(entry.path(), gone)};
    if (gone || (!best.empty() && !(best_rank < rank))) continue;
    if (is_left_out(entry.path())) continue;
    best = entry.path().string();
    best_rank = rank;
  }
  if (!best.empty()) return best;
  throw UsageError(
      fmt::format("{}: holds no result file (*.h5, *.h5.part); start a campaign with "
                  "mimus run first",
                  folder.string()));
}

}  // namespace

std::optional<std::string> present_name(const std::string& path) {
  const std::string finished =
      path.ends_with(kPart) ? path.substr(0, path.size() - kPart.size()) : path;
  if (fs::exists(finished)) return finished;
  const std::string growing = finished + std::string(kPart);
  return fs::exists(growing) ? std::optional<std::string>(growing) : std::nullopt;
}

std::string watched_file(const std::string& path) {
  if (fs::is_directory(path)) return newest_in(path);
  if (const auto name = present_name(path)) return *name;
  throw UsageError(fmt::format("{}: no such file or folder", path));
}

bool is_growing(const std::string& file) {
  return file.ends_with(kPart) && results::is_being_written(file);
}

}  // namespace mimus::emulator::cli
