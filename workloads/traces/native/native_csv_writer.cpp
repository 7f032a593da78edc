// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traces/native/native_csv_writer.hpp"

#include <algorithm>
#include <iterator>
#include <ostream>
#include <span>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "workloads/csv/timestamp.hpp"
#include "workloads/traces/native/batch_plan_text.hpp"
#include "workloads/traces/native/native_row.hpp"
#include "workloads/traces/trace_format.hpp"

namespace mimus::workloads {
namespace {

/// Quoted as in RFC 4180, if necessary.
std::string quoted(const std::string& field) {
  if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
  std::string out = "\"";
  for (const char c : field) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

std::string seconds_or_blank(Duration d) {
  return d == Duration{} ? "" : format_seconds(d);
}

void refuse(const Job& job, std::string_view what) {
  throw UsageError(
      fmt::format("job {} \"{}\" cannot be written as CSV: {}", job.id.value(), job.name, what));
}

void check(const Job& job) {
  if (job.name.empty()) refuse(job, "it has no name");
  if (job.user.empty()) refuse(job, "it has no user");
  if (job.virtual_cluster.empty()) refuse(job, "it has no virtual cluster");
  const Duration longest = from_seconds(kMaxTraceSeconds);
  const bool in_range = job.arrival >= Instant{} && job.arrival <= Instant{longest} &&
                        job.run_time <= longest && job.user_estimate <= longest;
  if (!in_range) refuse(job, fmt::format("a time is outside 0 to {:g} s", kMaxTraceSeconds));
}

/// A column at the end that is written only if a job needs it.
struct RareColumn {
  const char* name;
  bool (*needs)(const Job&);
  std::string (*text)(const Job&);
};

constexpr RareColumn kRareColumns[] = {
    {"class", [](const Job& job) { return job.opportunistic; },
     [](const Job& job) { return std::string(class_name(job)); }},
    {"stages", [](const Job& job) { return job.stages.has_value(); },
     [](const Job& job) { return job.stages ? stages_text(*job.stages) : ""; }},
    {"cores", [](const Job& job) { return job.cores > 0.0; },
     [](const Job& job) { return fmt::format("{}", job.cores); }},
    {"host_memory", [](const Job& job) { return job.host_memory > Bytes{}; },
     [](const Job& job) { return fmt::format("{}", job.host_memory.value); }},
    {"host_share", [](const Job& job) { return job.host_share > 0.0; },
     [](const Job& job) { return fmt::format("{}", job.host_share); }},
    {"gpu_types", [](const Job& job) { return !job.gpu_types.empty(); },
     [](const Job& job) { return quoted(gpu_types_text(job.gpu_types)); }},
    {"rates", [](const Job& job) { return !job.rates.empty(); },
     [](const Job& job) { return quoted(rates_text(job.rates)); }},
    {"data_set", [](const Job& job) { return !job.data_set.empty(); },
     [](const Job& job) { return quoted(job.data_set); }},
    {"data_size", [](const Job& job) { return job.data_size > Bytes{}; },
     [](const Job& job) {
       return job.data_size > Bytes{} ? fmt::format("{}", job.data_size.value) : "";
     }},
    {"application", [](const Job& job) { return !job.application.empty(); },
     [](const Job& job) { return quoted(job.application); }},
    {"gang_min", [](const Job& job) { return job.gang_min > 1; },
     [](const Job& job) { return fmt::format("{}", job.gang_min); }},
    {"gang_max", [](const Job& job) { return job.gang_max < Job{}.gang_max; },
     [](const Job& job) {
       return job.gang_max < Job{}.gang_max ? fmt::format("{}", job.gang_max) : "";
     }},
    {"deadline", [](const Job& job) { return job.deadline > Duration{}; },
     [](const Job& job) { return seconds_or_blank(job.deadline); }},
    {"batch_plan", [](const Job& job) { return !job.batch_plan.empty(); },
     [](const Job& job) { return batch_plan_text(job.batch_plan); }}};

std::vector<RareColumn> rare_columns_of(const Workload& workload) {
  std::vector<RareColumn> columns;
  for (const RareColumn& column : kRareColumns) {
    if (std::ranges::any_of(workload.jobs, column.needs)) columns.push_back(column);
  }
  return columns;
}

std::string row_of(const Job& job) {
  // Without a model the batch equals the gang and the work equals the run time, so neither is
  // written.
  const bool has_model = !job.model.empty();
  return fmt::format(
      "{},{},{},{},{},{},{},{},{},{},{},{},{},{}", quoted(job.name), quoted(job.user),
      quoted(job.virtual_cluster), quoted(job.group), quoted(job.model), job.gang, job.gpu_share,
      job.total_batch, has_model ? fmt::format("{}", job.work_samples) : "",
      format_seconds(job.arrival.time_since_epoch()), seconds_or_blank(job.run_time),
      seconds_or_blank(job.user_estimate), name(job.recorded), quoted(failures_text(job.failures)));
}

}  // namespace

void write_csv(const Workload& workload, std::ostream& out) {
  const std::vector<RareColumn> rare = rare_columns_of(workload);
  const std::span columns(kNativeColumns);
  out << fmt::format("{}", fmt::join(columns.first(columns.size() - std::size(kRareColumns)), ","));
  for (const RareColumn& column : rare) out << ',' << column.name;
  out << '\n';
  for (const Job& job : workload.jobs) {
    check(job);
    out << row_of(job);
    for (const RareColumn& column : rare) out << ',' << column.text(job);
    out << '\n';
  }
}

}  // namespace mimus::workloads
