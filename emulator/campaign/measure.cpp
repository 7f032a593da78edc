// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/measure.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/mapping_fields.hpp"
#include "results/totals/recorded_totals.hpp"

namespace mimus::emulator {

using results::MeasuredWindow;

namespace {

using W = MeasuredWindow;

Field<W> jobs_field() {
  const Param<std::optional<std::string>> jobs(
      "jobs", std::optional<std::string>{}, {},
      "figures cover only these jobs, counted from 0 in order of arrival; END is excluded");
  return Field<W>{jobs.info(), [jobs](YamlReader& reader,
                                      W& window) { (void)read_job_range(reader, jobs, window); }}
      .beyond(std::string(results::kJobRange));
}

Field<W> bound_field(const char* name, double W::*member, Limits limits, const char* summary) {
  const Param<std::optional<Duration>> time(name, std::optional<Duration>{}, limits, summary);
  return {time.info(), [time, name, member](YamlReader& reader, W& window) {
            const auto bound = time.read(reader);
            if (!bound) return;
            if (reader.has("jobs"))
              reader.fail(name, "a window is a range of jobs or a span of time, not both");
            window.*member = to_seconds(*bound);
          }};
}

void check_span(const YamlReader& reader, const W& window) {
  if (window.until <= window.from) reader.fail("until", "must be later than from");
}

/// The largest number of jobs that the window can measure, or nothing if it has no end.
std::optional<std::int64_t> jobs_asked_for(const MeasuredWindow& window) {
  if (window.jobs_end == MeasuredWindow::kNoJobsEnd) return std::nullopt;
  return window.jobs_end - window.first_job;
}

}  // namespace

bool read_job_range(YamlReader& reader, const Param<std::optional<std::string>>& key,
                    MeasuredWindow& window) {
  const auto range = key.read(reader);
  if (!range) return false;
  if (!results::parse_job_range(*range, window)) {
    reader.fail(key.info().name,
                fmt::format("\"{}\" is not a range of jobs; write {}, counted from 0 by arrival, "
                            "the end not included",
                            *range, results::kJobRange));
  }
  return true;
}

const Fields<MeasuredWindow>& measure_fields() {
  static const Fields<W> fields{
      jobs_field(),
      bound_field(
          "from", &W::from, kNotNegative,
          "figures cover the jobs that arrive from this time on, and GPU time from then on"),
      bound_field("until", &W::until, kPositive, "the same until this time").then(check_span)};
  return fields;
}

MeasuredWindow read_measure(YamlReader& root) {
  if (!root.has("measure")) return {};
  return read_mapping(measure_fields(), root.map("measure"));
}

void check_measure(Campaign& campaign, const ConfigNode& document) {
  const MeasuredWindow& window = campaign.measure;
  if (window.is_whole()) return;
  const SourceLocation& where = document.find("measure")->where;
  for (std::size_t i = 0; i < campaign.cells.size(); ++i) {
    const Cell& cell = campaign.cells[i];
    if (cell.config.find("record")->scalar == "summary") {
      throw ConfigError(
          where, "measure",
          fmt::format(
              "cell {} has record: summary, which keeps no jobs to choose from; use record: jobs",
              cell.label));
    }
    const auto jobs = campaign.facts[i].jobs;
    if (!jobs || *jobs == 0 || !window.is_of_jobs()) continue;
    if (window.first_job >= *jobs) {
      throw ConfigError(where, "measure.jobs",
                        fmt::format("{} measures none of the {} jobs of cell {}", window.text(),
                                    *jobs, cell.label));
    }
    if (!jobs_asked_for(window) || window.jobs_end <= *jobs) continue;
    campaign.facts[i].notes.push_back(
        fmt::format("measure: {} ends after the last of {} jobs; the cluster is not fully loaded "
                    "while the last of them run",
                    window.text(), *jobs));
  }
}

void warn_of_short_windows(const std::vector<results::CellSummary>& cells) {
  const auto is_short = [](const results::CellSummary& cell) {
    if (cell.measured.empty() || !cell.is_complete()) return false;
    const auto asked = jobs_asked_for(results::parse_measured_window(cell.measured));
    return asked && cell.count("jobs") < *asked;
  };
  const auto found = std::find_if(cells.begin(), cells.end(), is_short);
  if (found == cells.end()) return;
  log::warn(
      "{}: {} measures only {} jobs, because the run has no others; the same holds for {} of {} "
      "runs",
      found->label, found->measured, found->count("jobs"),
      std::count_if(cells.begin(), cells.end(), is_short), cells.size());
}

void warn_of_emptying_clusters(const std::vector<results::CellSummary>& cells) {
  constexpr double kNotice = 0.01;  // of the jobs: the last ones are the longest
  const auto empties = [](const results::CellSummary& cell) {
    return cell.is_complete() &&
           static_cast<double>(cell.in_drain) > kNotice * static_cast<double>(cell.count("jobs"));
  };
  const auto found = std::find_if(cells.begin(), cells.end(), empties);
  if (found == cells.end()) return;
  log::warn(
      "{}: {} of {} measured jobs ended after the last job had arrived, beside fewer jobs than "
      "before; more jobs keep the load up, and engine.until_jobs ends the run when those have that "
      "are measured; the same holds for {} of {} runs",
      found->label, found->in_drain, found->count("jobs"),
      std::count_if(cells.begin(), cells.end(), empties), cells.size());
}

void point_out_drain(const std::vector<results::CellSummary>& cells) {
  const auto drains = [](const results::CellSummary& cell) {
    return cell.is_complete() && cell.measured.empty() &&
           cell.value("drain") > 0.5 * cell.value("makespan");
  };
  const auto found = std::find_if(cells.begin(), cells.end(), drains);
  if (found == cells.end()) return;
  log::info(
      "{}: {:.0f} % of the makespan is after the last arrival, and {:.0f} % of the GPUs were held "
      "until then; the same holds for {} of {} runs; measure: and --measure leave the drain out",
      found->label, 100.0 * found->value("drain") / found->value("makespan"),
      100.0 * found->value("gpu_allocated_arriving"),
      std::count_if(cells.begin(), cells.end(), drains), cells.size());
}

void warn_of_recorded_window(const Campaign& campaign,
                             const std::vector<results::CellSummary>& cells) {
  if (cells.empty()) return;
  const auto recorded = results::recorded_window(results::Reader(cells.front().path));
  if (recorded == campaign.measure) return;
  log::warn(
      "{} measures {}, but the results were run with {}: give mimus summary and mimus report "
      "--measure {}",
      campaign.name, campaign.measure.text(), recorded.text(), campaign.measure.text());
}

}  // namespace mimus::emulator
