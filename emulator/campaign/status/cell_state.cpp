// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/status/cell_state.hpp"

#include <algorithm>
#include <charconv>
#include <ctime>
#include <filesystem>

#include <fmt/format.h>

#include "base/error.hpp"
#include "emulator/campaign/cell_id.hpp"
#include "results/campaign/campaign_file.hpp"
#include "results/file/file_lock.hpp"
#include "results/file/reader.hpp"

namespace mimus::emulator {
namespace {

namespace fs = std::filesystem;
using results::Reader;

constexpr const char* kPart = ".part";

double number(const std::string& text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// When the cell was started, in seconds since 1970; 0 if the file does not say.
std::time_t begun_at(const Reader& reader) {
  std::tm date{};
  const std::string text = reader.attribute("date");
  return strptime(text.c_str(), "%Y-%m-%dT%H:%M:%SZ", &date) == nullptr ? 0 : timegm(&date);
}

std::time_t written_at(const std::string& path) {
  std::error_code ignored;
  const auto age = fs::file_time_type::clock::now() - fs::last_write_time(path, ignored);
  return std::time(nullptr) - std::chrono::duration_cast<std::chrono::seconds>(age).count();
}

/// The wall time that the file states if the cell has stopped. Otherwise the time from the first
/// write to the last write, or to now.
std::optional<Duration> wall_of(const Reader& reader, const std::string& path, bool held) {
  const std::string measured = reader.attribute("wall_seconds");
  if (!measured.empty() && measured != "nan") return from_seconds(number(measured));
  const std::time_t begin = begun_at(reader);
  if (begin == 0) return std::nullopt;
  const std::time_t end = held ? std::time(nullptr) : written_at(path);
  return std::chrono::seconds{std::max<std::time_t>(0, end - begin)};
}

enum class Detail { state, progress };

void add_progress(const Reader& reader, const std::string& path, bool held, CellStatus& status) {
  status.wall = wall_of(reader, path, held);
  double ended = 0;
  double last_end = 0;
  for (const auto& row : reader.rows<results::TotalRow>()) {
    if (row.group != "all") continue;
    if (row.metric == "jobs") ended += row.value;
    if (row.metric == "unfinished") ended -= row.value;
    if (row.metric == "last_end") last_end = std::max(0.0, row.value);
  }
  status.jobs_ended = static_cast<std::int64_t>(ended);
  status.simulated = from_seconds(last_end);
}

void add_state_of_part(const Reader& reader, bool held, CellStatus& status) {
  const std::string said = reader.attribute("status");
  if (held) {
    status.state = CellState::running;
    status.host = reader.attribute("hostname");
    status.detail = fmt::format("by process {} on {} since {}", reader.attribute("pid"),
                                status.host, reader.attribute("date"));
    return;
  }
  status.state = said == "failed" ? CellState::failed : CellState::interrupted;
  status.detail = reader.attribute("status_reason");
  if (said == "running") status.detail = "its process ended without a report";
  if (said == "complete") status.detail = "its process ended before the file got its final name";
}

CellStatus status_of_part(const std::string& path, Detail detail) {
  CellStatus status;
  status.file = path;
  const bool held = results::is_being_written(path);
  try {
    const Reader reader(path);
    add_state_of_part(reader, held, status);
    if (detail == Detail::progress) add_progress(reader, path, held, status);
  } catch (const IoError& error) {
    status.state = held ? CellState::running : CellState::interrupted;
    status.detail = held ? "by a process that has not written anything yet"
                         : "its process ended before it wrote anything";
  }
  return status;
}

CellStatus status_of_result(const std::string& path, const Cell& cell, Detail detail) {
  CellStatus status;
  status.file = path;
  try {
    const Reader reader(path);
    const bool same = reader.attribute("config_hash") == cell.config_hash;
    status.state = same ? CellState::done : CellState::stale;
    if (!same) status.detail = "a result of another configuration";
    if (detail == Detail::progress) add_progress(reader, path, false, status);
  } catch (const IoError& error) {
    status.state = CellState::failed;
    status.detail = error.what();
  }
  return status;
}

CellStatus status_of(const std::string& path, const Cell& cell, Detail detail) {
  if (fs::exists(path)) return status_of_result(path, cell, detail);
  if (!fs::exists(path + kPart)) return {};
  CellStatus status = status_of_part(path + kPart, detail);
  // It may have been completed and renamed since we looked.
  return fs::exists(path) ? status_of_result(path, cell, detail) : status;
}

/// An id in three parts: the part before the hash, the hash, and the repetition.
struct IdParts {
  std::string before, hash, after;
};

IdParts parts_of(const std::string& id) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const std::size_t dash = id.rfind("-r");
  const bool repeated =
      dash != std::string::npos && dash + 2 < id.size() &&
      std::all_of(id.begin() + static_cast<std::ptrdiff_t>(dash) + 2, id.end(), is_digit);
  const std::string head = repeated ? id.substr(0, dash) : id;
  if (head.size() <= kShortHash) return {id, "", ""};
  const std::size_t at = head.size() - kShortHash;
  return {head.substr(0, at), head.substr(at), repeated ? id.substr(dash) : ""};
}

std::string id_in(const std::string& file_name) {
  return file_name.substr(0, file_name.rfind(".h5"));
}

}  // namespace

const char* name(CellState state) {
  switch (state) {
    case CellState::done:
      return "done";
    case CellState::failed:
      return "failed";
    case CellState::interrupted:
      return "interrupted";
    case CellState::running:
      return "running";
    case CellState::stale:
      return "stale";
    case CellState::waiting:
      break;
  }
  return "waiting";
}

std::string output_folder(const Campaign& campaign, const std::string& given) {
  return given.empty() ? "mimus-results/" + campaign.name : given;
}

std::string result_path(const std::string& output_dir, const Cell& cell) {
  return fmt::format("{}/{}.h5", output_dir, cell.id);
}

CellStatus cell_status(const std::string& output_dir, const Cell& cell) {
  return status_of(result_path(output_dir, cell), cell, Detail::state);
}

CellStatus cell_progress(const std::string& output_dir, const Cell& cell) {
  return status_of(result_path(output_dir, cell), cell, Detail::progress);
}

std::set<std::string> result_files_in(const std::string& folder) {
  std::set<std::string> names;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    const std::string name = entry.path().filename().string();
    if (results::is_cell_file(name)) names.insert(name);
  }
  return names;
}

std::string stale_file(const std::set<std::string>& names, const Cell& cell) {
  const IdParts own = parts_of(cell.id);
  for (auto at = names.lower_bound(own.before); at != names.end(); ++at) {
    if (!at->starts_with(own.before)) break;
    const IdParts other = parts_of(id_in(*at));
    if (other.before == own.before && other.after == own.after && other.hash != own.hash) {
      return *at;
    }
  }
  return "";
}

}  // namespace mimus::emulator
