// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traces/formats/pai_task_tables.hpp"

#include <algorithm>

namespace mimus::workloads {
namespace {

constexpr Limits kPercent{.min = 0.0, .max = 1e6};
constexpr double kGibibyte = 1024.0 * 1024.0 * 1024.0;

/// Like read_rows(), but for tables whose rows are not jobs.
void each_row(CsvReader& csv, RowSink& sink, const std::function<void(const CsvReader&)>& take) {
  read_rows(csv, sink, [&take](const CsvReader& row) -> std::optional<TraceRecord> {
    take(row);
    return std::nullopt;
  });
}

void add_times(PaiTasks& tasks, std::optional<Duration> start, std::optional<Duration> end) {
  if (start) tasks.start = std::min(tasks.start.value_or(*start), *start);
  if (end) tasks.end = std::max(tasks.end.value_or(*end), *end);
  if (!end) tasks.all_ended = false;
}

}  // namespace

PaiTasksByJob read_pai_tasks(const TraceFile& file, RowSink& sink) {
  auto csv =
      CsvReader::without_header(file.text, file.name,
                                {"job_name", "task_name", "inst_num", "status", "start_time",
                                 "end_time", "plan_cpu", "plan_mem", "plan_gpu", "gpu_type"});
  const auto job = csv.column("job_name");
  const auto instances = csv.column("inst_num");
  const auto start = csv.column("start_time");
  const auto end = csv.column("end_time");
  const auto cores = csv.column("plan_cpu");
  const auto memory = csv.column("plan_mem");
  const auto gpus = csv.column("plan_gpu");
  PaiTasksByJob jobs;
  jobs.reserve(row_hint(file.text));
  each_row(csv, sink, [&](const CsvReader& row) {
    // Counts are written as "2.0". A blank count means one instance, and a blank request no GPU.
    const double count = row.blank(instances) ? 1.0 : row.get<double>(instances, kTraceGpus);
    const double percent = row.blank(gpus) ? 0.0 : row.get<double>(gpus, kPercent);
    const auto from = seconds_if(row, start);
    const auto to = seconds_if(row, end);
    PaiTasks& tasks = jobs[std::string(row.text(job))];
    tasks.request.add_gpus(percent / 100.0, static_cast<std::int64_t>(count));
    if (!row.blank(cores)) tasks.request.cores += count * row.get<double>(cores, kPercent) / 100.0;
    if (!row.blank(memory)) {
      tasks.request.host_memory += Bytes{count * kGibibyte * row.get<double>(memory, kPercent)};
    }
    add_times(tasks, from, to);
  });
  return jobs;
}

PaiTags read_pai_tags(const TraceFile& file, RowSink& sink) {
  auto csv = CsvReader::without_header(file.text, file.name,
                                       {"inst_id", "user", "gpu_type_spec", "group", "workload"});
  const auto id = csv.column("inst_id");
  const auto type = csv.column("gpu_type_spec");
  const auto group = csv.column("group");
  PaiTags tags;
  tags.reserve(row_hint(file.text));
  each_row(csv, sink, [&](const CsvReader& row) {
    tags.emplace(std::string(row.text(id)),
                 PaiTag{std::string(row.text(group)), std::string(row.text(type))});
  });
  return tags;
}

}  // namespace mimus::workloads
