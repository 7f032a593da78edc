// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Shockwave (NSDI'23): twelve tab-separated columns without a header.
#include "workloads/traces/formats/formats.hpp"
#include "workloads/traces/formats/gavel_job_type.hpp"
#include "workloads/traces/trace_source.hpp"

namespace mimus::workloads {
namespace {

class ShockwaveTrace final : public TraceFormat {
 public:
  void parse(std::span<const TraceFile> files, RowSink& sink) const override {
    auto csv = CsvReader::without_header(
        files.front().text, files.front().name,
        {"job_type", "command", "working_dir", "num_steps_arg", "needs_data_dir", "total_steps",
         "scale_factor", "mode", "priority_weight", "SLO", "duration", "arrival_time"},
        {.delimiter = '\t', .quotes = false});
    const auto job_type = csv.column("job_type");
    const auto scale_factor = csv.column("scale_factor");
    const auto duration = csv.column("duration");
    const auto arrival = csv.column("arrival_time");
    read_rows(csv, sink, [=](const CsvReader& row) {
      TraceRecord record;
      take_gavel_job(row, job_type, scale_factor, record);
      record.run_time = row.seconds(duration, kTraceSpan);
      record.submit = row.seconds(arrival, kTraceTime);
      return record;
    });
  }
};

}  // namespace

Choice<WorkloadSource> shockwave_source() {
  return trace_choice<ShockwaveTrace>(
      {.name = "shockwave",
       .summary = "job traces of Shockwave (NSDI'23), with their durations",
       .path_summary = "tab-separated, no header: job_type, command, working_dir, num_steps_arg, "
                       "needs_data_dir, total_steps, scale_factor, mode, priority_weight, SLO, "
                       "duration [s], arrival [s]",
       .gpus_column = "scale_factor",
       .model_column = "job_type",
       .oddities = {Oddity::negative_run_time, Oddity::zero_run_time, Oddity::unsorted}});
}

}  // namespace mimus::workloads
