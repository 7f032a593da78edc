// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Microsoft Philly as job tables: job_id, submit, duration, num_gpus, vc.
#include "workloads/traces/formats/formats.hpp"
#include "workloads/traces/trace_source.hpp"

namespace mimus::workloads {
namespace {

class PhillyTable final : public TraceFormat {
 public:
  void parse(std::span<const TraceFile> files, RowSink& sink) const override {
    CsvReader csv(files.front().text, files.front().name,
                  {"job_id", "submit", "duration", "num_gpus", "vc"});
    const auto id = csv.column("job_id");
    const auto submit = csv.column("submit");
    const auto duration = csv.column("duration");
    const auto gpus = csv.column("num_gpus");
    const auto vc = csv.column("vc");
    sink.expect(row_hint(files.front().text));
    read_rows(csv, sink, [=](const CsvReader& row) {
      TraceRecord record;
      record.row = row.line();
      record.name = row.text(id);
      record.virtual_cluster = row.text(vc);
      record.submit = row.seconds(submit, kTraceTime);
      record.run_time = row.seconds(duration, kTraceSpan);
      record.add_gpus(1.0, row.get<std::int64_t>(gpus, kTraceGpus));
      record.gpus_at = row.place(gpus);
      return record;
    });
  }
};

}  // namespace

Choice<WorkloadSource> philly_source() {
  return trace_choice<PhillyTable>(
      {.name = "philly",
       .summary = "Microsoft Philly 2017 (ATC'19) as a table of jobs",
       .path_summary = "CSV with job_id, submit [s], duration [s], num_gpus, vc",
       .gpus_column = "num_gpus",
       .oddities = {Oddity::zero_gpus, Oddity::negative_run_time, Oddity::zero_run_time,
                    Oddity::duplicate_id, Oddity::unsorted}});
}

}  // namespace mimus::workloads
