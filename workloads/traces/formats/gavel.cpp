// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Gavel (OSDI'20): tab-separated columns without a header. The run time is the number of steps
// divided by the measured throughput.
#include <algorithm>
#include <cctype>
#include <map>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "workloads/traces/formats/formats.hpp"
#include "workloads/traces/formats/gavel_job_type.hpp"
#include "workloads/traces/formats/gavel_throughputs.hpp"
#include "workloads/traces/input/input_path.hpp"
#include "workloads/traces/trace_source.hpp"

namespace mimus::workloads {
namespace {

/// Generated traces have ten columns, and those made from Philly have seven.
std::vector<std::string> columns_of(std::string_view text) {
  const auto first_line = text.substr(0, text.find('\n'));
  if (std::count(first_line.begin(), first_line.end(), '\t') == 6) {
    return {"job_type",    "command",      "num_steps_arg", "needs_data_dir",
            "total_steps", "arrival_time", "scale_factor"};
  }
  return {"job_type",    "command",      "working_dir",     "num_steps_arg", "needs_data_dir",
          "total_steps", "scale_factor", "priority_weight", "SLO",           "arrival_time"};
}

/// The GPU type that a worker type of the artifact, e.g. k80, stands for.
std::string gpu_type_of(std::string worker_type) {
  for (char& c : worker_type) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return worker_type;
}

class GavelTrace final : public TraceFormat {
 public:
  struct Settings {
    InputPath throughputs;
    std::string worker_type = "v100";
    std::vector<std::string> also_on;
  };
  explicit GavelTrace(Settings settings)
      : throughputs_(std::move(settings.throughputs.named)),
        worker_type_(std::move(settings.worker_type)),
        also_on_(std::move(settings.also_on)) {}

  [[nodiscard]] std::vector<std::string> files(const std::string& path) const override {
    return {path, throughputs_};
  }
  [[nodiscard]] std::string options_text() const override {
    return fmt::format("{}", fmt::join(worker_types(), " "));
  }

  void parse(std::span<const TraceFile> files, RowSink& sink) const override {
    const Measured measured = measured_in(files[1]);
    auto csv = CsvReader::without_header(files[0].text, files[0].name, columns_of(files[0].text),
                                         {.delimiter = '\t', .quotes = false});
    const auto job_type = csv.column("job_type");
    const auto steps = csv.column("total_steps");
    const auto scale_factor = csv.column("scale_factor");
    const auto arrival = csv.column("arrival_time");
    const std::string cannot_run = fmt::format(
        "no throughput without co-tenants on {}: the job cannot run there", worker_type_);
    std::map<std::int64_t, std::shared_ptr<const PairRates>> pairs;  // by gang
    read_rows(csv, sink, [&](const CsvReader& row) -> std::optional<TraceRecord> {
      TraceRecord record;
      take_gavel_job(row, job_type, scale_factor, record);
      record.submit = row.seconds(arrival, kTraceTime);
      const double total = row.get<double>(steps, {.min = 1.0, .max = 1e15});
      const double rate = rate_of(measured.front().second, row, job_type, scale_factor);
      if (rate == 0.0) {
        sink.drop("cannot_run", cannot_run, record.row);
        return std::nullopt;
      }
      if (total / rate > kMaxTraceSeconds) {
        row.fail(steps, fmt::format("{} steps at {:g} steps/s take longer than {:g} s",
                                    row.text(steps), rate, kMaxTraceSeconds));
      }
      record.run_time = from_seconds(total / rate);
      if (also_on_.empty()) return record;
      take_rates(measured, row, job_type, record);
      const auto [of_gang, is_new] = pairs.try_emplace(record.instances);
      if (is_new) of_gang->second = gavel_pairs(measured, record.instances);
      record.pair_rates = of_gang->second;
      return record;
    });
  }

 private:
  /// By GPU type, the one of the run times first.
  using Measured = std::vector<std::pair<std::string, GavelThroughputs>>;

  [[nodiscard]] Measured measured_in(const TraceFile& file) const {
    Measured measured;
    for (const std::string& type : worker_types()) {
      measured.emplace_back(gpu_type_of(type), GavelThroughputs(file.text, file.name, type));
    }
    return measured;
  }

  [[nodiscard]] std::vector<std::string> worker_types() const {
    std::vector<std::string> types{worker_type_};
    types.insert(types.end(), also_on_.begin(), also_on_.end());
    return types;
  }

  /// Of the worker types that can run the job. It has no model then, whose speed would be modelled.
  static void take_rates(const Measured& measured, const CsvReader& row, CsvReader::Column job_type,
                         TraceRecord& record) {
    for (const auto& [type, throughputs] : measured) {
      const auto rate = throughputs.steps_per_second(row.text(job_type), record.instances);
      if (rate.value_or(0.0) > 0.0) record.rates.emplace_back(type, *rate);
    }
    record.kind = std::string(row.text(job_type));
    record.model = {};
    record.total_batch = 0;
  }

  [[nodiscard]] double rate_of(const GavelThroughputs& throughputs, const CsvReader& row,
                               CsvReader::Column job_type, CsvReader::Column scale_factor) const {
    const auto scale = row.get<std::int64_t>(scale_factor);
    const auto rate = throughputs.steps_per_second(row.text(job_type), scale);
    if (rate) return *rate;
    row.fail(job_type, fmt::format("no throughput of \"{}\" with scale factor {} on {} in {}",
                                   row.text(job_type), scale, worker_type_, throughputs_));
  }

  std::string throughputs_, worker_type_;
  std::vector<std::string> also_on_;
};

}  // namespace

Choice<WorkloadSource> gavel_source() {
  using S = GavelTrace::Settings;
  return trace_choice<GavelTrace>(
      {.name = "gavel",
       .summary = "job traces of Gavel (OSDI'20), run times from its measured throughputs",
       .path_summary =
           "tab-separated, no header: job_type, command, working_dir, num_steps_arg, "
           "needs_data_dir, total_steps, scale_factor, priority_weight, SLO, arrival_time [s]",
       .gpus_column = "scale_factor",
       .model_column = "job_type",
       .oddities = {Oddity::negative_run_time, Oddity::zero_run_time, Oddity::unsorted}},
      {required_field("throughputs", &S::throughputs, "a file",
                      "JSON of steps/s by worker type, job type and scale factor"),
       field("worker_type", &S::worker_type,
             "type of GPU whose throughputs, consolidated and alone, give run times")
           .beyond("a key of the throughputs, e.g. p100"),
       field("also_on", &S::also_on, {},
             "further types: jobs have their throughputs on GPUs of all these types, in capitals, "
             "and may only use these")
           .beyond("keys of the throughputs, e.g. [p100, k80]")});
}

}  // namespace mimus::workloads
