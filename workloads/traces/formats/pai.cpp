// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Alibaba PAI in the format of its simulator (NSDI'22): one row per job, GPUs per instance.
#include <array>

#include "workloads/traces/formats/formats.hpp"
#include "workloads/traces/formats/pai_gpu_types.hpp"
#include "workloads/traces/trace_source.hpp"

namespace mimus::workloads {
namespace {

/// Mean run times of earlier jobs: of the user, of the user with the same GPUs, of the group, of
/// the group with the same GPUs.
const std::vector<std::string> kEstimates{"user_dur", "user_gpu_dur", "group_dur", "group_gpu_dur"};

class PaiTable final : public TraceFormat {
 public:
  using Settings = PaiSettings<PaiGpuTypes::any>;
  explicit PaiTable(Settings settings) : gpu_types_(settings.gpu_types) {}

  [[nodiscard]] std::string options_text() const override { return text_of(gpu_types_); }

  void parse(std::span<const TraceFile> files, RowSink& sink) const override {
    CsvReader csv(files.front().text, files.front().name,
                  {"job_id", "num_inst", "submit_time", "num_gpu", "duration", "user"});
    Columns columns(csv);
    for (std::size_t i = 0; i < kEstimates.size(); ++i) {
      if (!columns.estimates[i]) sink.lacks_estimate(i);
    }
    sink.expect(row_hint(files.front().text));
    read_rows(csv, sink, [&](const CsvReader& row) {
      TraceRecord record = columns.read(row);
      if (columns.type) record.gpu_types = gpu_types_by(gpu_types_, row.text(*columns.type));
      return record;
    });
  }

 private:
  struct Columns {
    explicit Columns(const CsvReader& csv)
        : id(csv.column("job_id")),
          instances(csv.column("num_inst")),
          submit(csv.column("submit_time")),
          gpus(csv.column("num_gpu")),
          duration(csv.column("duration")),
          user(csv.column("user")),
          group(csv.find("group")),
          type(csv.find("gpu_type")) {
      for (const std::string& name : kEstimates) estimates.push_back(csv.find(name));
      stated.resize(kEstimates.size());
    }

    TraceRecord read(const CsvReader& row) {
      TraceRecord record;
      record.row = row.line();
      record.name = row.text(id);
      record.user = row.text(user);
      if (group) record.group = row.text(*group);
      record.add_gpus(row.get<double>(gpus, kTraceGpus),
                      row.get<std::int64_t>(instances, kTraceGpus));
      record.gpus_at = row.place(gpus);
      record.submit = row.seconds(submit, kTraceTime);
      record.run_time = row.seconds(duration, kTraceSpan);
      for (std::size_t i = 0; i < estimates.size(); ++i) {
        const bool given = estimates[i] && !row.blank(*estimates[i]);
        stated[i] = given ? row.seconds(*estimates[i], kTraceTime) : Duration{};
      }
      record.estimates = stated;
      return record;
    }

    CsvReader::Column id, instances, submit, gpus, duration, user;
    std::optional<CsvReader::Column> group, type;
    std::vector<std::optional<CsvReader::Column>> estimates;
    std::vector<Duration> stated;  ///< estimates of the row that was read last
  };

  PaiGpuTypes gpu_types_;
};

}  // namespace

Choice<WorkloadSource> pai_source() {
  return trace_choice<PaiTable>(
      {.name = "pai",
       .summary = "Alibaba PAI 2020 (NSDI'22) in the form of its simulator",
       .path_summary =
           "CSV with job_id, num_inst, submit_time [s], num_gpu (per instance), gpu_type, "
           "duration [s], user",
       .gpus_column = "num_gpu",
       .oddities = {Oddity::zero_gpus, Oddity::negative_run_time, Oddity::zero_run_time,
                    Oddity::fractional_gang, Oddity::duplicate_id, Oddity::unsorted},
       .estimates = kEstimates},
      pai_fields<PaiGpuTypes::any>());
}

}  // namespace mimus::workloads
