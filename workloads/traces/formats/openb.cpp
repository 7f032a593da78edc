// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Alibaba's GPU-sharing cluster of 2023: one row per pod.
#include <array>

#include "workloads/traces/formats/formats.hpp"
#include "workloads/traces/trace_source.hpp"

namespace mimus::workloads {
namespace {

constexpr std::array<std::pair<std::string_view, RecordedOutcome>, 5> kPhases{
    {{"Succeeded", RecordedOutcome::passed},
     {"Failed", RecordedOutcome::failed},
     {"Running", RecordedOutcome::unknown},
     {"Pending", RecordedOutcome::unknown},
     {"Unknown", RecordedOutcome::unknown}}};
constexpr Limits kMilli{.min = 0.0, .max = 1000.0};
constexpr Limits kAmount{.min = 0.0, .max = 1e9};
constexpr double kMebibyte = 1024.0 * 1024.0;

/// Types that a pod may use, as "V100M16|V100M32"; none stands for all.
std::vector<std::string> types_in(std::string_view spec) {
  std::vector<std::string> types;
  while (!spec.empty()) {
    const auto bar = spec.find('|');
    if (bar != 0) types.emplace_back(spec.substr(0, bar));
    spec.remove_prefix(bar == std::string_view::npos ? spec.size() : bar + 1);
  }
  return types;
}

class OpenbPods final : public TraceFormat {
 public:
  void parse(std::span<const TraceFile> files, RowSink& sink) const override {
    CsvReader csv(files.front().text, files.front().name,
                  {"name", "num_gpu", "gpu_milli", "pod_phase", "creation_time", "deletion_time",
                   "scheduled_time"});
    const auto name = csv.column("name");
    const auto cores = csv.find("cpu_milli");
    const auto memory = csv.find("memory_mib");
    const auto types = csv.find("gpu_spec");
    const auto gpus = csv.column("num_gpu");
    const auto milli = csv.column("gpu_milli");
    const auto phase = csv.column("pod_phase");
    const auto created = csv.column("creation_time");
    const auto deleted = csv.column("deletion_time");
    const auto scheduled = csv.column("scheduled_time");
    read_rows(csv, sink, [=](const CsvReader& row) {
      TraceRecord record;
      record.row = row.line();
      record.name = row.text(name);
      if (cores) record.cores = row.get<double>(*cores, kAmount) / 1000.0;
      if (memory) record.host_memory = Bytes{kMebibyte * row.get<double>(*memory, kAmount)};
      if (types) record.gpu_types = types_in(row.text(*types));
      const auto count = row.get<std::int64_t>(gpus, kTraceGpus);
      record.add_gpus(static_cast<double>(row.get<std::int64_t>(milli, kMilli)) / 1000.0, count);
      record.gpus_at = row.place(gpus);
      record.outcome = read_choice(row, phase, "pod phase", kPhases);
      record.submit = row.seconds(created, kTraceTime);
      record.start = seconds_if(row, scheduled);
      record.end = seconds_if(row, deleted);
      return record;
    });
  }
};

}  // namespace

Choice<WorkloadSource> openb_source() {
  return trace_choice<OpenbPods>(
      {.name = "openb",
       .summary = "pods of Alibaba's GPU-sharing cluster of 2023 (ATC'23), with parts of GPUs",
       .path_summary = "CSV with name, cpu_milli, memory_mib, num_gpu, gpu_milli, gpu_spec, "
                       "pod_phase, creation_time [s], deletion_time [s], scheduled_time [s]",
       .gpus_column = "num_gpu",
       .oddities = {Oddity::never_started, Oddity::zero_gpus, Oddity::missing_end,
                    Oddity::negative_run_time, Oddity::zero_run_time, Oddity::negative_wait,
                    Oddity::fractional_gang, Oddity::duplicate_id, Oddity::unsorted}});
}

}  // namespace mimus::workloads
