// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/summary/summary.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <tuple>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/log.hpp"
#include "emulator/campaign/measure.hpp"
#include "emulator/cli/profile_report.hpp"
#include "emulator/cli/text/terminal.hpp"
#include "emulator/cli/verbs.hpp"
#include "results/campaign/campaign_file.hpp"
#include "results/campaign/newest_files.hpp"
#include "results/profile_file.hpp"

namespace mimus::emulator::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSummaryExamples =
    "  mimus summary mimus-results/quickstart              cells side by side\n"
    "  mimus summary mimus-results/quickstart --cell 003   one cell in full\n"
    "  mimus summary mimus-results/quickstart --each       every repetition in a row of its own\n"
    "  mimus summary a.h5 b.h5 --json\n"
    "  mimus summary FOLDER --measure jobs=4000..5000      of these jobs only, by arrival\n"
    "  mimus summary profile.h5                            what mimus calibrate has measured";

struct SummaryArguments {
  std::vector<std::string> paths;
  std::string cell;
  std::string measure;
  bool json = false;
  bool each = false;
  bool totals = false;
};

std::vector<std::string> files_in(const fs::path& folder) {
  std::vector<std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && results::is_cell_file(entry.path().filename().string())) {
      found.push_back(entry.path().string());
    }
  }
  if (found.empty()) {
    throw UsageError(
        fmt::format("{}: holds no result file (*.h5, *.h5.part); run a campaign with "
                    "mimus run first",
                    folder.string()));
  }
  std::sort(found.begin(), found.end());
  const auto [newest, others, refusals] = results::by_configuration(found);
  for (const std::string& refusal : refusals) log::warn("left out: {}", refusal);
  if (newest.empty() && refusals.empty()) {
    throw UsageError(
        fmt::format("{}: holds profiles only; name one of them to see it", folder.string()));
  }
  if (newest.empty()) {
    throw IoError(folder.string(), "no result file there can be read: " + refusals.front());
  }
  if (others.empty()) return newest;
  log::warn(
      "{}: {} of other configurations left out, because they are not of the last run; mimus "
      "campaign status counts them, mimus campaign merge takes only the cells of one campaign",
      folder.string(), others.size() == 1 ? "1 file" : fmt::format("{} files", others.size()));
  return newest;
}

/// Ids begin with the cell's number. They contain the hash of each repetition before its number.
bool comes_before(const results::CellSummary& a, const results::CellSummary& b) {
  const auto key = [](const results::CellSummary& cell) {
    return std::tuple(fs::path(cell.path).parent_path(), std::atoi(cell.cell.c_str()), cell.label,
                      cell.repetition);
  };
  return key(a) < key(b);
}

using Window = std::optional<results::MeasuredWindow>;

/// Summaries of one file, or of all files of a folder in the order of their cells.
std::vector<results::CellSummary> summaries_of(const std::string& path, const Window& window) {
  if (!fs::exists(path)) throw UsageError(fmt::format("{}: no such file or folder", path));
  if (!fs::is_directory(path)) return {results::summarise(path, window)};
  std::vector<results::CellSummary> cells;
  for (const std::string& file : files_in(path)) {
    try {
      cells.push_back(results::summarise(file, window));
    } catch (const IoError& error) {  // a damaged file must not hide the others
      log::warn("left out: {}", error.what());
    }
  }
  if (cells.empty()) throw IoError(path, "no result file there can be summarised; see above");
  std::stable_sort(cells.begin(), cells.end(), comes_before);
  return cells;
}

std::vector<results::CellSummary> summaries(const SummaryArguments& arguments) {
  std::vector<results::CellSummary> cells;
  const Window window = arguments.measure.empty()
                            ? std::nullopt
                            : Window(results::parse_measured_window(arguments.measure));
  for (const std::string& path : arguments.paths) {
    std::ranges::move(summaries_of(path, window), std::back_inserter(cells));
  }
  if (arguments.cell.empty()) return cells;
  std::vector<std::string> ids;
  for (const auto& cell : cells) ids.push_back(cell.cell);
  return {cells[find_cell(ids, arguments.cell)]};
}

void note_incomplete(const std::vector<results::CellSummary>& cells) {
  const auto complete = std::count_if(cells.begin(), cells.end(),
                                      [](const auto& cell) { return cell.is_complete(); });
  const auto incomplete = static_cast<std::ptrdiff_t>(cells.size()) - complete;
  if (incomplete == 0 || complete == 0) return;
  log::info("not complete: {} of {} runs; * marks the best of the complete ones", incomplete,
            cells.size());
}

bool is_profile_alone(const SummaryArguments& arguments) {
  const bool is_one_file = arguments.paths.size() == 1 && fs::is_regular_file(arguments.paths[0]);
  return is_one_file && arguments.cell.empty() && results::is_profile(arguments.paths[0]);
}

int summary(const SummaryArguments& arguments) {
  if (is_profile_alone(arguments)) {
    arguments.json ? print_profile_json(arguments.paths[0])
                   : print_profile_table(arguments.paths[0]);
    return 0;
  }
  const auto cells = summaries(arguments);
  warn_of_short_windows(cells);
  point_out_drain(cells);
  if (arguments.json) {
    print(results::to_json(
              cells, arguments.totals ? results::JsonParts::totals : results::JsonParts::figures) +
          "\n");
  } else if (!arguments.cell.empty()) {
    print(results::format_cell(cells.front()));
  } else {
    print(results::format_table(
        cells, terminal_width(),
        arguments.each ? results::TableRows::runs : results::TableRows::cells));
    note_incomplete(cells);
  }
  return 0;
}

}  // namespace

Verb add_summary(CLI::App& app, Session& session) {
  auto arguments = std::make_shared<SummaryArguments>();
  CLI::App* verb = add_verb(app, session, "summary", "Summarise result files, cells side by side.",
                            kSummaryExamples);
  verb->add_option("PATH", arguments->paths, "result files, or folders of them")->required();
  verb->add_option("--cell", arguments->cell, "show only this cell, in full")
      ->option_text("CELL")
      ->group("Output");
  verb->add_option("--measure", arguments->measure,
                   "part of the run that figures cover: jobs=4000..5000; from=2h,until=20h; all")
      ->option_text("WINDOW")
      ->group("Output");
  verb->add_flag("--each", arguments->each, "one row per run instead of means over repetitions")
      ->group("Output");
  CLI::Option* json = verb->add_flag("--json", arguments->json, "JSON on stdout");
  json->group("Output");
  verb->add_flag("--totals", arguments->totals,
                 "with --json: also print the sums and quantiles behind the figures")
      ->needs(json)
      ->group("Output");
  return {verb, [arguments] { return summary(*arguments); }};
}

}  // namespace mimus::emulator::cli
