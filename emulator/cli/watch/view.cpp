// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/cli/watch/view.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/quantity_text.hpp"
#include "emulator/cli/watch/grid.hpp"

namespace mimus::emulator::cli {
namespace {

using Lines = std::vector<std::string>;

std::string duration_text(double seconds) {
  return format_duration(from_seconds(std::max(0.0, seconds)));
}

std::string percent_text(double share) {
  return fmt::format("{:.0f} %", 100.0 * share);
}

std::string rate_text(double samples_per_second) {
  return samples_per_second < 1000.0 ? fmt::format("{:.3g} samples/s", samples_per_second)
                                     : fmt::format("{:.0f} samples/s", samples_per_second);
}

/// Cuts a text without colours to the width of the screen.
std::string cut(std::string text, int columns) {
  const auto width = static_cast<std::size_t>(std::max(columns, 20));
  if (text.size() > width) text = text.substr(0, width - 2) + "..";
  return text;
}

/// Joins pieces by " - " into as many lines as the width requires.
Lines flowed(const std::vector<std::string>& pieces, int columns) {
  Lines lines;
  for (const std::string& piece : pieces) {
    if (piece.empty()) continue;
    const bool fits = !lines.empty() &&
                      lines.back().size() + 3 + piece.size() <= static_cast<std::size_t>(columns);
    if (fits) {
      lines.back() += " - " + piece;
    } else {
      lines.push_back(cut(piece, columns));
    }
  }
  return lines;
}

void append(Lines& lines, const Lines& more) {
  lines.insert(lines.end(), more.begin(), more.end());
}

std::string jobs_text(const CellProgress& state) {
  std::int64_t ended = 0;
  auto unfinished = static_cast<std::int64_t>(state.cut_off().size());
  std::vector<std::string> others;
  for (const auto& [outcome, count] : state.outcomes()) {
    if (outcome == "unfinished") {
      unfinished = count;
      continue;
    }
    ended += count;
    if (outcome != "finished") others.push_back(fmt::format("{} {}", count, outcome));
  }
  const auto all = state.cell().jobs;
  const std::string of_all = all ? fmt::format(" of {}", *all) : "";
  const std::string failed = others.empty() ? "" : fmt::format(" ({})", fmt::join(others, ", "));
  const std::string rest = unfinished > 0 ? fmt::format(", {} unfinished", unfinished) : "";
  return fmt::format("{}{} jobs done{}{}", ended, of_all, failed, rest);
}

Lines head(const CellProgress& state, int columns) {
  const WatchedCell& cell = state.cell();
  return flowed({cell.campaign, cell.label.empty() ? cell.cell : cell.label, cell.policy,
                 fmt::format("{}, {}", cell.engine, cell.hardware), state.status()},
                columns);
}

/// "5 of 8 GPUs held (T4 1 of 4, V100 4 of 4)", the types only where there are several.
std::string held_text(const CellProgress& state) {
  GpusByType held = state.gpus_held();
  std::int64_t all = 0;
  for (const auto& [type, count] : held) all += count;
  std::string text = fmt::format("{} of {} GPUs held", all, state.cell().gpus());
  const GpusByType& there = state.cell().gpus_by_type;
  if (there.size() < 2) return text;
  std::vector<std::string> types;
  for (const auto& [type, count] : there) {
    types.push_back(fmt::format("{} {} of {}", type, held[type], count));
  }
  return fmt::format("{} ({})", text, fmt::join(types, ", "));
}

Lines totals(const CellProgress& state, int columns) {
  std::vector<std::string> pieces{duration_text(state.now()), jobs_text(state)};
  if (state.knows_jobs() && state.status() == "running") {
    pieces.push_back(held_text(state));
    pieces.push_back(
        fmt::format("{} running, {} waiting", state.running().size(), state.waiting().size()));
  }
  if (const auto goodput = state.goodput()) {
    pieces.push_back("goodput " + percent_text(*goodput));
  }
  if (state.mean_jct() > 0) pieces.push_back("mean JCT " + duration_text(state.mean_jct()));
  return flowed(pieces, columns);
}

/// How many nodes take no jobs and why, with the marks of the grid.
Lines marked_nodes(const CellProgress& state, int columns) {
  std::map<NodeMark, int> counts;
  for (const auto& [node, marks] : state.marked_nodes()) ++counts[*marks.begin()];
  std::vector<std::string> pieces;
  for (const auto& [mark, name] :
       {std::pair{NodeMark::asleep, "asleep"}, std::pair{NodeMark::booting, "booting"},
        std::pair{NodeMark::down, "down"}, std::pair{NodeMark::quarantined, "in quarantine"}}) {
    const int count = counts[mark];
    if (count == 0) continue;
    pieces.push_back(
        fmt::format("{} {} {} ({})", count, count == 1 ? "node" : "nodes", name, mark_of(mark)));
  }
  return flowed(pieces, columns);
}

/// The types of a job's GPUs, where the cluster has several.
std::string types_text(const WatchedAttempt& attempt, const WatchedCell& cell) {
  if (cell.gpus_by_type.size() < 2) return {};
  std::set<std::string> types;
  for (const std::int64_t gpu : attempt.gpus) types.insert(cell.type_of(gpu));
  return fmt::format(" {:<8}", fmt::to_string(fmt::join(types, "+")));
}

std::string running_line(const WatchedAttempt& attempt, const CellProgress& state,
                         const ViewSize& size) {
  const std::string name = attempt.model.empty() ? "job" : attempt.model;
  std::string rest =
      fmt::format(" {:<5} {:<12} x{:<3}{} for {:<8}", attempt.job, name, attempt.gang,
                  types_text(attempt, state.cell()), duration_text(state.now() - attempt.begin));
  // The most informative values come first, because narrow terminals cut the end.
  if (attempt.is_suspended) rest += " suspended";
  if (attempt.normalised) rest += fmt::format(" goodput {:<5}", percent_text(*attempt.normalised));
  if (attempt.total_batch > 0) {
    rest +=
        fmt::format(" batch {:<6} {}", attempt.total_batch, rate_text(attempt.samples_per_second));
  }
  return coloured(std::string(1, letter_of(attempt.job)), attempt.model, size) +
         cut(rest, size.columns - 1);
}

Lines running(const CellProgress& state, const ViewSize& size, std::size_t rows) {
  Lines lines{"running"};
  for (const auto& [id, attempt] : state.running()) {
    if (lines.size() + 1 >= rows && lines.size() < state.running().size()) {
      lines.push_back(fmt::format("and {} more", state.running().size() - lines.size() + 1));
      break;
    }
    lines.push_back(running_line(attempt, state, size));
  }
  if (state.running().empty()) lines.emplace_back("no job");
  return lines;
}

using Jobs = std::map<std::int64_t, WaitingJob>;

/// Jobs without GPUs, the longest wait first. With `now`, the length of the wait is shown.
Lines listed(const std::string& heading, const Jobs& found, std::optional<double> now,
             const ViewSize& size, std::size_t rows) {
  std::vector<std::pair<std::int64_t, WaitingJob>> jobs(found.begin(), found.end());
  std::sort(jobs.begin(), jobs.end(), [](const auto& a, const auto& b) {
    return std::pair(a.second.since, a.first) < std::pair(b.second.since, b.first);
  });
  std::vector<std::string> pieces{fmt::format("{}: {}", heading, jobs.size())};
  for (const auto& [id, job] : jobs) {
    pieces.push_back(fmt::format("{} {} x{}", id, job.model.empty() ? "job" : job.model, job.gang));
    if (now) pieces.back() += " for " + duration_text(*now - job.since);
    if (pieces.size() > 4 * rows) break;  // more than any screen shows
  }
  Lines lines = flowed(pieces, size.columns);
  if (lines.size() > rows) lines.resize(rows);
  return lines;
}

Lines waiting(const CellProgress& state, const ViewSize& size, std::size_t rows) {
  if (!state.cut_off().empty()) {
    return listed("unfinished when it stopped", state.cut_off(), std::nullopt, size, rows);
  }
  if (state.waiting().empty()) return {"waiting: no job"};
  return listed("waiting", state.waiting(), state.now(), size, rows);
}

std::string actions_text(const results::DecisionRow& row) {
  std::vector<std::string> parts;
  const auto add = [&parts](std::int64_t count, const char* what) {
    if (count > 0) parts.push_back(fmt::format("{} {}", count, what));
  };
  add(row.starts, "started");
  add(row.stops, "stopped");
  add(row.retunes, "retuned");
  add(row.resizes, "to be resized");
  add(row.moves, "to be moved");
  add(row.limits, "limited");
  add(row.suspensions, "suspended");
  add(row.resumptions, "resumed");
  const std::int64_t named = row.starts + row.stops + row.retunes + row.resizes + row.moves +
                             row.limits + row.suspensions + row.resumptions;
  add(row.actions - named, "given up");
  return fmt::format("{}", fmt::join(parts, ", "));
}

Lines decisions(const CellProgress& state, const ViewSize& size, std::size_t rows) {
  Lines lines{"last decisions"};
  for (auto row = state.decisions().rbegin(); row != state.decisions().rend(); ++row) {
    if (lines.size() >= rows) break;
    lines.push_back(cut(fmt::format("at {:<8} {}; {} wait; {:.0f} us", duration_text(row->time),
                                    actions_text(*row), row->queued, row->latency_us),
                        size.columns));
  }
  if (state.decisions().empty()) lines.emplace_back("none");
  return lines;
}

/// `percent` of the lines, but at least two. Half of the lines are for the cluster, the rest for
/// jobs.
std::size_t share_of(int rows, int percent) {
  return static_cast<std::size_t>(std::max(2, rows * percent / 100));
}

}  // namespace

char letter_of(std::int64_t job) {
  constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  return kLetters[static_cast<std::size_t>(std::max<std::int64_t>(0, job)) % kLetters.size()];
}

std::vector<std::string> view(const CellProgress& state, const ViewSize& size) {
  Lines lines = head(state, size.columns);
  if (!state.status_reason().empty()) lines.push_back(cut(state.status_reason(), size.columns));
  append(lines, totals(state, size.columns));
  append(lines, marked_nodes(state, size.columns));
  lines.emplace_back();
  if (!state.knows_jobs()) {
    append(lines, flowed({"record: full would show which jobs run where", "this cell records less"},
                         size.columns));
    return lines;
  }
  append(lines, grid(state, size, share_of(size.rows, 35)));
  lines.emplace_back();
  append(lines, running(state, size, share_of(size.rows, 25)));
  append(lines, waiting(state, size, share_of(size.rows, 10)));
  append(lines, decisions(state, size, share_of(size.rows, 12)));
  return lines;
}

}  // namespace mimus::emulator::cli
