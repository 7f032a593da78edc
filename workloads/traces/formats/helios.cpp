// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// SenseTime Helios 2020 and the Acme clusters 2023: logs of Slurm and of Kubernetes with the same
// columns. Times in the Kubernetes logs have offsets from UTC.
#include <array>

#include "workloads/traces/formats/formats.hpp"
#include "workloads/traces/trace_source.hpp"

namespace mimus::workloads {
namespace {

constexpr std::array<std::pair<std::string_view, RecordedOutcome>, 8> kStates{
    {{"COMPLETED", RecordedOutcome::passed},
     {"CANCELLED", RecordedOutcome::killed},
     {"FAILED", RecordedOutcome::failed},
     {"TIMEOUT", RecordedOutcome::failed},
     {"NODE_FAIL", RecordedOutcome::failed},
     {"SUSPENDED", RecordedOutcome::unknown},
     {"RUNNING", RecordedOutcome::unknown},
     {"PENDING", RecordedOutcome::unknown}}};

class SlurmLog final : public TraceFormat {
 public:
  void parse(std::span<const TraceFile> files, RowSink& sink) const override {
    CsvReader csv(files.front().text, files.front().name,
                  {"job_id", "user", "gpu_num", "state", "submit_time", "start_time", "end_time"});
    const auto id = csv.column("job_id");
    const auto user = csv.column("user");
    const auto gpus = csv.column("gpu_num");
    const auto state = csv.column("state");
    const auto submit = csv.column("submit_time");
    const auto start = csv.column("start_time");
    const auto end = csv.column("end_time");
    const auto vc = csv.find("vc");
    const auto type = csv.find("type");
    sink.expect(row_hint(files.front().text));
    read_rows(csv, sink, [=](const CsvReader& row) {
      TraceRecord record;
      record.row = row.line();
      record.name = row.text(id);
      record.user = row.text(user);
      if (vc) record.virtual_cluster = row.text(*vc);
      if (type) record.group = row.text(*type);
      record.add_gpus(1.0, row.get<std::int64_t>(gpus, kTraceGpus));
      record.gpus_at = row.place(gpus);
      record.outcome = read_choice(row, state, "state", kStates);
      record.submit = timestamp(row, submit);
      record.start = timestamp_if(row, start);
      record.end = timestamp_if(row, end);
      return record;
    });
  }
};

TraceTraits traits(std::string name, std::string summary) {
  return {
      .name = std::move(name),
      .summary = std::move(summary),
      .path_summary = "CSV with job_id, user, gpu_num, state, submit_time, start_time, end_time",
      .gpus_column = "gpu_num",
      .oddities = {Oddity::never_started, Oddity::zero_gpus, Oddity::missing_end,
                   Oddity::negative_run_time, Oddity::zero_run_time, Oddity::negative_wait,
                   Oddity::duplicate_id, Oddity::unsorted}};
}

}  // namespace

Choice<WorkloadSource> helios_source() {
  return trace_choice<SlurmLog>(
      traits("helios", "SenseTime Helios 2020 (SC'21): a cluster_log.csv"));
}

Choice<WorkloadSource> acme_source() {
  return trace_choice<SlurmLog>(
      traits("acme", "Shanghai AI Lab Acme 2023 (NSDI'24): a job trace of a cluster"));
}

}  // namespace mimus::workloads
