// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Alibaba PAI 2020 as published: the tables of jobs, tasks and group tags in a folder.
#include <array>
#include <filesystem>

#include "workloads/traces/formats/formats.hpp"
#include "workloads/traces/formats/pai_gpu_types.hpp"
#include "workloads/traces/formats/pai_task_tables.hpp"
#include "workloads/traces/input/input_file.hpp"
#include "workloads/traces/trace_source.hpp"

namespace mimus::workloads {
namespace {

constexpr std::array<std::pair<std::string_view, RecordedOutcome>, 4> kPaiStatuses{
    {{"Terminated", RecordedOutcome::passed},
     {"Failed", RecordedOutcome::failed},
     {"Running", RecordedOutcome::unknown},
     {"Waiting", RecordedOutcome::unknown}}};

class PaiTables final : public TraceFormat {
 public:
  using Settings = PaiSettings<PaiGpuTypes::stated>;
  explicit PaiTables(Settings settings) : gpu_types_(settings.gpu_types) {}

  [[nodiscard]] std::string options_text() const override { return text_of(gpu_types_); }

  /// The table of group tags may be absent.
  [[nodiscard]] std::vector<std::string> files(const std::string& path) const override {
    std::vector<std::string> all{path + "/pai_job_table.csv", path + "/pai_task_table.csv"};
    const std::string groups = path + "/pai_group_tag_table.csv";
    if (std::filesystem::exists(expanded_path(groups))) all.push_back(groups);
    return all;
  }

  void parse(std::span<const TraceFile> files, RowSink& sink) const override {
    const PaiTasksByJob tasks = read_pai_tasks(files[1], sink);
    const PaiTags tags = files.size() > 2 ? read_pai_tags(files[2], sink) : PaiTags{};
    auto csv = CsvReader::without_header(
        files[0].text, files[0].name,
        {"job_name", "inst_id", "user", "status", "start_time", "end_time"});
    const auto status = csv.column("status");
    const auto submit = csv.column("start_time");
    sink.expect(row_hint(files[0].text));
    read_rows(csv, sink, [&](const CsvReader& row) -> std::optional<TraceRecord> {
      const auto submitted = seconds_if(row, submit);
      if (!submitted) {
        sink.drop("no_submission", "no time of submission was recorded", row.line());
        return std::nullopt;
      }
      TraceRecord record = with_tasks(row, tasks);
      record.submit = *submitted;
      record.outcome = read_choice(row, status, "status", kPaiStatuses);
      if (const auto tag = tags.find(std::string(row.text(row.column("inst_id"))));
          tag != tags.end()) {
        record.group = tag->second.group;
        record.gpu_types = gpu_types_by(gpu_types_, tag->second.gpu_type);
      }
      return record;
    });
  }

 private:
  static TraceRecord with_tasks(const CsvReader& row, const PaiTasksByJob& jobs) {
    const auto name = row.column("job_name");
    const auto found = jobs.find(std::string(row.text(name)));
    TraceRecord record;
    if (found != jobs.end()) {
      const PaiTasks& tasks = found->second;
      record = tasks.request;
      record.start = tasks.start;
      // If a task has no end, the end of the job is used.
      record.end = tasks.all_ended ? tasks.end : seconds_if(row, row.column("end_time"));
    }
    record.row = row.line();
    record.gpus_at = row.place(name);
    record.name = row.text(name);
    record.user = row.text(row.column("user"));
    return record;
  }

  PaiGpuTypes gpu_types_;
};

}  // namespace

Choice<WorkloadSource> pai_tables_source() {
  return trace_choice<PaiTables>(
      {.name = "pai-tables",
       .summary = "Alibaba PAI 2020 (NSDI'22) as published, joined from its tables",
       .path_is = "a folder",
       .path_summary = "holds pai_job_table.csv, pai_task_table.csv and, for groups and GPU types, "
                       "pai_group_tag_table.csv, all without header lines",
       .gpus_column = "plan_gpu",
       .oddities = {Oddity::never_started, Oddity::zero_gpus, Oddity::missing_end,
                    Oddity::negative_run_time, Oddity::zero_run_time, Oddity::negative_wait,
                    Oddity::fractional_gang, Oddity::duplicate_id, Oddity::unsorted}},
      pai_fields<PaiGpuTypes::stated>());
}

}  // namespace mimus::workloads
