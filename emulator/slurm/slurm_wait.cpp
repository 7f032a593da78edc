// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/slurm/slurm_wait.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <optional>
#include <sstream>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"
#include "base/log.hpp"
#include "emulator/run/cell_run.hpp"
#include "emulator/slurm/slurm_command.hpp"
#include "emulator/stop_signal.hpp"
#include "results/file/reader.hpp"

namespace mimus::emulator {
namespace {

constexpr Duration kSqueueTimeout = std::chrono::seconds{60};
/// Long enough not to burden the controller, which serves all users.
constexpr Duration kBetweenLooks = std::chrono::seconds{3};
/// A controller that is being restarted does not answer for a moment.
constexpr int kMostFailures = 20;

/// Counts the complete cells of a campaign. Checks again only those that were incomplete.
class CompleteCells {
 public:
  CompleteCells(const Campaign& campaign, const std::string& folder) {
    for (const Cell& cell : campaign.cells) {
      left_.push_back({result_path(folder, cell), cell.config_hash});
    }
  }
  /// Number of incomplete cells.
  std::size_t left() {
    std::erase_if(left_, [](const auto& cell) { return is_complete(cell.first, cell.second); });
    return left_.size();
  }

 private:
  static bool is_complete(const std::string& path, const std::string& hash) {
    if (!std::filesystem::exists(path)) return false;
    try {
      const results::Reader reader(path);
      return reader.attribute("status") == "complete" && reader.attribute("config_hash") == hash;
    } catch (const IoError&) {
      return false;  // its writer died or continues it right now
    }
  }
  std::vector<std::pair<std::string, std::string>> left_;
};

/// The output of squeue, or nothing if the controller did not answer.
std::optional<std::string> look(const std::vector<std::string>& jobs) {
  const std::string ids = fmt::format("{}", fmt::join(jobs, ","));
  const CommandResult said = run_slurm(
      {"squeue", "--noheader", "--array", "--format=%T|%r", "--jobs=" + ids}, kSqueueTimeout);
  // If squeue is asked for a single job that is no longer known, it reports an error.
  if (said.errors.find("Invalid job id") != std::string::npos) return said.output;
  if (said.exit_code != 0) return std::nullopt;
  return said.output;
}

void nap() {
  for (Duration slept{}; slept < kBetweenLooks && stop_signal() == 0;) {
    constexpr Duration kStep = std::chrono::milliseconds{200};
    std::this_thread::sleep_for(kStep);
    slept += kStep;
  }
}

[[noreturn]] void give_up(const std::vector<std::string>& jobs, Duration limit) {
  throw TimeoutError(
      "jobs in the queue", limit,
      fmt::format(
          "the jobs continue; check with squeue --jobs={}, or wait longer with --wait-limit",
          fmt::join(jobs, ",")));
}

/// The value of `NAME=` in a record of scontrol, or "" if it has none.
std::string field(const std::string& record, const std::string& name) {
  const std::size_t begin = (" " + record).find(" " + name + "=");
  if (begin == std::string::npos) return "";
  const std::size_t value = begin + name.size() + 1;
  return record.substr(value, record.find(' ', value) - value);
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

}  // namespace

std::string queue_text(const std::string& lines) {
  std::map<std::string, int> counts;
  std::istringstream stream(lines);
  for (std::string line; std::getline(stream, line);) {
    const std::size_t bar = line.find('|');
    std::string state = lower(line.substr(0, bar));
    if (state == "pending" && bar != std::string::npos) {
      state += fmt::format(" ({})", line.substr(bar + 1));
    }
    if (!state.empty()) ++counts[state];
  }
  std::vector<std::string> parts;
  for (const auto& [state, count] : counts) parts.push_back(fmt::format("{} {}", count, state));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string bad_ends(const std::string& records) {
  std::vector<std::string> bad;
  std::istringstream stream(records);
  for (std::string record; std::getline(stream, record);) {
    const std::string state = lower(field(record, "JobState"));
    if (state.empty() || state == "completed") continue;
    const std::string code = field(record, "ExitCode");
    bad.push_back(fmt::format("{} {} (exit code {})", field(record, "JobId"), state,
                              code.substr(0, code.find(':'))));
  }
  return fmt::format("{}", fmt::join(bad, ", "));
}

std::string jobs_that_failed(const std::vector<std::string>& jobs) {
  std::string records;
  for (const std::string& job : jobs) {
    records += run_slurm({"scontrol", "--oneliner", "show", "job", job}, kSqueueTimeout).output;
  }
  return bad_ends(records);
}

std::size_t wait_for_jobs(const Campaign& campaign, const std::string& output_dir,
                          const std::vector<std::string>& jobs, Duration limit) {
  install_stop_handlers();
  const WallInstant begun = wall_now();
  CompleteCells cells(campaign, output_dir);
  std::string last;
  for (int failures = 0; failures < kMostFailures;) {
    const auto queue = look(jobs);
    failures = queue ? 0 : failures + 1;
    if (queue) {
      const std::size_t left = cells.left();
      const std::string jobs_text = queue_text(*queue);
      const std::string now =
          fmt::format("{} of {} cells complete; jobs: {}", campaign.cells.size() - left,
                      campaign.cells.size(), jobs_text.empty() ? "none left" : jobs_text);
      if (now != last) log::info("{}", now);
      last = now;
      if (jobs_text.empty()) return left;
    }
    if (wall_now() - begun > limit) give_up(jobs, limit);
    nap();
    if (stop_signal() != 0) {
      throw InterruptedError(fmt::format("stopped waiting; the jobs continue: squeue --jobs={}",
                                         fmt::join(jobs, ",")));
    }
  }
  throw EnvironmentError(fmt::format(
      "the batch system has not answered {} times; the jobs may still run: squeue --jobs={}",
      kMostFailures, fmt::join(jobs, ",")));
}

}  // namespace mimus::emulator
