// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// The Standard Workload Format, version 2.2, of the Parallel Workloads Archive: 18 numbers per job,
// -1 for what is not known, after a header of comments.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "workloads/traces/formats/formats.hpp"
#include "workloads/traces/trace_source.hpp"

namespace mimus::workloads {
namespace {

const std::vector<std::string> kColumns{"job",
                                        "submit",
                                        "wait",
                                        "run_time",
                                        "processors",
                                        "cpu_time",
                                        "memory",
                                        "requested_processors",
                                        "requested_time",
                                        "requested_memory",
                                        "status",
                                        "user",
                                        "group",
                                        "executable",
                                        "queue",
                                        "partition",
                                        "preceding_job",
                                        "think_time"};
const std::vector<std::string> kEstimates{"requested_time"};
/// Jobs that were interrupted have a line for each part as well.
constexpr std::array<std::string_view, 3> kParts{"2", "3", "4"};
constexpr std::array<std::pair<std::string_view, RecordedOutcome>, 4> kStatus{
    {{"-1", RecordedOutcome::unknown},
     {"0", RecordedOutcome::failed},
     {"1", RecordedOutcome::passed},
     {"5", RecordedOutcome::killed}}};
constexpr Limits kSeconds{.min = -1.0, .max = kMaxTraceSeconds};

class SwfLog final : public TraceFormat {
 public:
  struct Settings {
    int processors_per_gpu = 1;
  };
  explicit SwfLog(Settings settings) : per_gpu_(settings.processors_per_gpu) {}

  [[nodiscard]] std::string options_text() const override {
    return fmt::format("processors_per_gpu: {}", per_gpu_);
  }

  void parse(std::span<const TraceFile> files, RowSink& sink) const override {
    const std::string_view text = files.front().text;
    CsvReader log = CsvReader::without_header(text, files.front().name, kColumns,
                                              {.blanks = true, .comment = ';'});
    const Columns columns(log);
    Duration estimate{};
    sink.expect(row_hint(text));
    read_rows(log, sink, [&](const CsvReader& row) -> std::optional<TraceRecord> {
      if (std::find(kParts.begin(), kParts.end(), row.text(columns.status)) != kParts.end()) {
        sink.drop("parts", "parts of interrupted jobs, which have a line as a whole", row.line());
        return std::nullopt;
      }
      TraceRecord record = read(row, columns);
      estimate = std::max(row.seconds(columns.requested_time, kSeconds), Duration::zero());
      record.estimates = {&estimate, 1};
      return record;
    });
  }

 private:
  struct Columns {
    explicit Columns(const CsvReader& log)
        : job(log.column("job")),
          submit(log.column("submit")),
          wait(log.column("wait")),
          run_time(log.column("run_time")),
          processors(log.column("processors")),
          requested(log.column("requested_processors")),
          requested_time(log.column("requested_time")),
          status(log.column("status")),
          user(log.column("user")),
          group(log.column("group")),
          queue(log.column("queue")) {}
    CsvReader::Column job, submit, wait, run_time, processors, requested, requested_time, status,
        user, group, queue;
  };

  [[nodiscard]] TraceRecord read(const CsvReader& row, const Columns& columns) const {
    const auto known = [&](CsvReader::Column column) {
      const std::string_view text = row.text(column);
      return text == "-1" ? std::string_view{} : text;
    };
    TraceRecord record;
    record.row = row.line();
    record.name = row.text(columns.job);
    record.user = known(columns.user);
    record.group = known(columns.group);
    record.virtual_cluster = known(columns.queue);
    record.outcome = read_choice(row, columns.status, "status", kStatus);
    const bool held = row.get<std::int64_t>(columns.processors, kProcessors) > 0;
    const auto from = held ? columns.processors : columns.requested;
    const auto processors = row.get<std::int64_t>(from, kProcessors);
    record.add_gpus(1.0, (std::max<std::int64_t>(processors, 0) + per_gpu_ - 1) / per_gpu_);
    record.gpus_at = row.place(from);
    record.submit = row.seconds(columns.submit, kTraceTime);
    const Duration wait = row.seconds(columns.wait, kSeconds);
    const Duration run_time = row.seconds(columns.run_time, kSeconds);
    const bool ran = run_time >= Duration::zero();
    record.tells_of_start = !ran || wait >= Duration::zero();
    if (ran && wait >= Duration::zero()) record.start = record.submit + wait;
    if (ran) record.run_time = run_time;
    return record;
  }

  static constexpr Limits kProcessors{.min = -1.0, .max = kTraceGpus.max};

  int per_gpu_;
};

}  // namespace

Choice<WorkloadSource> swf_source() {
  return trace_choice<SwfLog>(
      {.name = "swf",
       .summary = "logs of parallel machines in the Standard Workload Format",
       .path_summary = "18 numbers per job, separated by blanks; comments begin with ;",
       .gpus_column = "processors",
       .oddities = {Oddity::never_started, Oddity::zero_gpus, Oddity::missing_end,
                    Oddity::zero_run_time, Oddity::duplicate_id, Oddity::unsorted},
       .estimates = kEstimates},
      {field("processors_per_gpu", &SwfLog::Settings::processors_per_gpu, between(1, 1024),
             "number of processors that become one GPU, rounded up for each job")});
}

}  // namespace mimus::workloads
