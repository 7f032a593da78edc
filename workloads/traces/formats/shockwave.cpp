// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Shockwave (NSDI'23): twelve tab-separated columns without a header.
#include <memory>

#include <fmt/format.h>

#include "workloads/traces/formats/formats.hpp"
#include "workloads/traces/formats/gavel_job_type.hpp"
#include "workloads/traces/formats/gavel_throughputs.hpp"
#include "workloads/traces/formats/shockwave_batches.hpp"
#include "workloads/traces/input/input_path.hpp"
#include "workloads/traces/trace_source.hpp"

namespace mimus::workloads {
namespace {

/// The GPU type of the test bed, in Mimus and in the artifact's table.
constexpr const char* kType = "V100";
constexpr const char* kWorkerType = "v100";

class ShockwaveTrace final : public TraceFormat {
 public:
  struct Settings {
    InputPath throughputs;
  };
  explicit ShockwaveTrace(Settings settings)
      : throughputs_(std::move(settings.throughputs.named)) {}

  [[nodiscard]] std::vector<std::string> files(const std::string& path) const override {
    if (throughputs_.empty()) return {path};
    return {path, throughputs_};
  }
  [[nodiscard]] std::string options_text() const override {
    return throughputs_.empty() ? "" : "batches";
  }

  void parse(std::span<const TraceFile> files, RowSink& sink) const override {
    std::optional<GavelThroughputs> throughputs;
    if (files.size() > 1) throughputs.emplace(files[1].text, files[1].name, kWorkerType);
    auto csv = CsvReader::without_header(
        files.front().text, files.front().name,
        {"job_type", "command", "working_dir", "num_steps_arg", "needs_data_dir", "total_steps",
         "scale_factor", "mode", "priority_weight", "SLO", "duration", "arrival_time"},
        {.delimiter = '\t', .quotes = false});
    const auto job_type = csv.column("job_type");
    const auto scale_factor = csv.column("scale_factor");
    const auto duration = csv.column("duration");
    const auto arrival = csv.column("arrival_time");
    const auto steps = csv.column("total_steps");
    const auto mode = csv.column("mode");
    read_rows(csv, sink, [&](const CsvReader& row) {
      TraceRecord record;
      take_gavel_job(row, job_type, scale_factor, record);
      record.run_time = row.seconds(duration, kTraceSpan);
      record.submit = row.seconds(arrival, kTraceTime);
      if (throughputs) {
        const ShockwaveJob job{row.text(job_type), row.get<std::int64_t>(scale_factor),
                               row.get<std::int64_t>(steps, {.min = 1.0, .max = 1e12}),
                               row.text(mode)};
        auto course = shockwave_course(job, *throughputs);
        if (!course) {
          row.fail(job_type, fmt::format("no throughput of \"{}\" with scale factor {} on {} in {}",
                                         job.job_type, job.gang, kWorkerType, throughputs_));
        }
        record.name = job.job_type;
        record.run_time = from_seconds(course->run_time());
        record.rates = {{kType, course->modes.front().rate}};
        record.course = std::make_shared<const BatchCourse>(std::move(*course));
      }
      return record;
    });
  }

 private:
  std::string throughputs_;  ///< a file; empty: run times are those of the trace
};

}  // namespace

Choice<WorkloadSource> shockwave_source() {
  using S = ShockwaveTrace::Settings;
  return trace_choice<ShockwaveTrace>(
      {.name = "shockwave",
       .summary = "job traces of Shockwave (NSDI'23), with their durations",
       .path_summary = "tab-separated, no header: job_type, command, working_dir, num_steps_arg, "
                       "needs_data_dir, total_steps, scale_factor, mode, priority_weight, SLO, "
                       "duration [s], arrival [s]",
       .gpus_column = "scale_factor",
       .model_column = "job_type",
       .oddities = {Oddity::negative_run_time, Oddity::zero_run_time, Oddity::unsorted}},
      {optional_field("throughputs", &S::throughputs, "a file",
                      "JSON of steps/s by worker type, job type and scale factor: jobs change "
                      "their batches by their modes, and run for as long as that takes on V100s")});
}

}  // namespace mimus::workloads
