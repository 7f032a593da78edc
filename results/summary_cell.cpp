// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "results/number_text.hpp"
#include "results/summary.hpp"
#include "results/summary_known.hpp"

namespace mimus::results {

namespace {

constexpr const char* kNone = "-";

/// Lines of "name   value unit" below a heading.
class Report {
 public:
  explicit Report(const std::string& heading) : text_(heading + "\n") {}

  void line(const std::string& name, const std::string& value) {
    text_ += fmt::format("  {:<22} {}\n", name, value);
  }
  void seconds(const std::string& name, bool known, double value) {
    line(name, known ? significant(value) + " s" : kNone);
  }
  void share(const std::string& name, bool known, double value) {
    line(name, known ? percent(value) + " %" : kNone);
  }
  [[nodiscard]] std::string text() && { return std::move(text_); }

 private:
  std::string text_;
};

void add_jobs(Report& report, const CellSummary& cell) {
  report.line("status", cell.status_reason.empty()
                            ? cell.status
                            : fmt::format("{}: {}", cell.status, cell.status_reason));
  report.line("file", cell.path);
  if (!cell.measured.empty()) report.line("measured", cell.measured);
  report.line("jobs",
              fmt::format("{}: {} finished, {} failed, {} rejected, {} unfinished", cell.jobs,
                          cell.finished, cell.failed, cell.rejected, cell.unfinished));
}

void add_times(Report& report, const CellSummary& cell) {
  const bool any = cell.jobs > 0;
  const bool finished = cell.finished > 0;
  report.line("preemptions", fmt::format("{}", cell.preemptions));
  report.seconds("makespan", any, cell.makespan);
  report.seconds("  after last arrival", cell.drain.has_value(), cell.drain.value_or(0.0));
  report.seconds("JCT mean", finished, cell.jct_mean);
  report.seconds("JCT p50", finished && cell.percentiles_known, cell.jct_p50);
  report.seconds("JCT p90", finished && cell.percentiles_known, cell.jct_p90);
  report.seconds("JCT p99", finished && cell.percentiles_known, cell.jct_p99);
  report.seconds("queueing p50", any && cell.percentiles_known, cell.queueing_p50);
  report.seconds("queueing p90", any && cell.percentiles_known, cell.queueing_p90);
  report.seconds("queueing p99", any && cell.percentiles_known, cell.queueing_p99);
  report.seconds("queueing mean", any, cell.queueing_mean);
  std::vector<std::pair<double, std::string>> causes;
  for (const auto& [cause, value] : cell.queueing_by_cause) causes.emplace_back(-value, cause);
  std::sort(causes.begin(), causes.end());
  for (const auto& [negative, cause] : causes) report.seconds("  " + cause, true, -negative);
}

void add_use(Report& report, const CellSummary& cell) {
  const bool any = cell.jobs > 0;
  report.share("GPU time held", any, cell.gpu_allocated);
  report.share("  until last arrival", cell.gpu_allocated_arriving.has_value(),
               cell.gpu_allocated_arriving.value_or(0.0));
  report.share("GPU time busy", knows_busy(cell), cell.gpu_busy);
  const bool sampled = knows_samples(cell);
  report.line("throughput",
              sampled ? significant(cell.throughput) + " samples/s of a running job" : kNone);
  report.share("efficiency", sampled, cell.efficiency);
  report.line("goodput",
              sampled ? significant(cell.goodput) + " samples at M0/s of a running job" : kNone);
  report.share("normalised goodput", knows_useful_time(cell), cell.goodput_normalised);
}

void add_trust(Report& report, const CellSummary& cell) {
  const bool shared = cell.slowdown_mean > 0;
  report.line("slowdown mean", shared ? significant(cell.slowdown_mean) + "x" : kNone);
  report.line("slowdown worst", shared ? fmt::format("{}: {}x", cell.slowdown_worst_pair,
                                                     significant(cell.slowdown_worst))
                                       : kNone);
  report.share("pace error, median", knows_pace(cell), cell.pace_error_median);
  report.share("late", knows_pace(cell), cell.late_share);
  if (cell.gpus_lost > 0) report.line("GPUs lost", std::to_string(cell.gpus_lost));
}

}  // namespace

std::string format_cell(const CellSummary& cell) {
  std::string heading = cell.cell;
  if (!cell.label.empty()) heading += fmt::format(" ({})", cell.label);
  Report report(heading + fmt::format(", repetition {}", cell.repetition));
  add_jobs(report, cell);
  add_times(report, cell);
  add_use(report, cell);
  add_trust(report, cell);
  return std::move(report).text();
}

}  // namespace mimus::results
