// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traces/native/native_row.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/quantity_text.hpp"
#include "workloads/csv/timestamp.hpp"
#include "workloads/jobs/training_request.hpp"
#include "workloads/traces/native/batch_plan_text.hpp"
#include "workloads/traces/trace_format.hpp"

namespace mimus::workloads {
namespace {

constexpr Limits kShare{.min = kPositive.min, .max = 1.0};
constexpr Limits kGangLimit{.min = 1.0, .max = 1e6};
constexpr Limits kHostAmount{.min = 0.0, .max = 1e15};
constexpr Limits kBatch{.min = 1.0, .max = 1e9};
constexpr std::array<RecordedOutcome, 4> kOutcomes{RecordedOutcome::unknown,
                                                   RecordedOutcome::passed, RecordedOutcome::killed,
                                                   RecordedOutcome::failed};

bool given(const CsvReader& row, const std::optional<CsvReader::Column>& column) {
  return column && !row.blank(*column);
}

std::string_view text_of(const CsvReader& row, const std::optional<CsvReader::Column>& column) {
  return column ? row.text(*column) : std::string_view{};
}

RecordedOutcome outcome_of(const CsvReader& row, CsvReader::Column column) {
  std::vector<std::string> known;
  for (const RecordedOutcome outcome : kOutcomes) {
    if (row.text(column) == name(outcome)) return outcome;
    known.emplace_back(name(outcome));
  }
  row.fail(column, unknown_name_message("outcome", row.text(column), known));
}

FailurePlan failures_of(const CsvReader& row, CsvReader::Column column) {
  auto plan = parse_failures(row.text(column));
  if (plan) return std::move(*plan);
  row.fail(column, fmt::format("expected failures such as \"0.5:broken cable;*900s:\", each a "
                               "fraction of the work or a time, after \"*\" where it recurs, and a "
                               "reason, got \"{}\"",
                               row.text(column)));
}

bool is_opportunistic(const CsvReader& row, CsvReader::Column column) {
  const std::string_view text = row.text(column);
  if (text == "guaranteed") return false;
  if (text == "opportunistic") return true;
  row.fail(column, fmt::format("expected guaranteed or opportunistic, got \"{}\"", text));
}

std::vector<std::string> gpu_types_of(const CsvReader& row, CsvReader::Column column) {
  auto types = parse_gpu_types(row.text(column));
  if (!types.empty()) return types;
  row.fail(column, fmt::format("expected names of GPU types such as \"V100;P100\", got \"{}\"",
                               row.text(column)));
}

TypeRates rates_of(const CsvReader& row, CsvReader::Column column) {
  auto rates = parse_rates(row.text(column));
  if (!rates.empty()) return rates;
  row.fail(column,
           fmt::format("expected iterations/s by GPU type, that of the run time first, such "
                       "as \"V100:32.35;K80:4.8\", got \"{}\"",
                       row.text(column)));
}

std::vector<PlannedBatch> batch_plan_of(const CsvReader& row, CsvReader::Column column) {
  if (auto plan = parse_batch_plan(row.text(column))) return std::move(*plan);
  row.fail(column, fmt::format("expected batches such as \"0:128;30:256\", each an epoch and the "
                               "total batch from then on, in ascending order, got \"{}\"",
                               row.text(column)));
}

StageTimes stages_of(const CsvReader& row, CsvReader::Column column) {
  if (const auto stages = parse_stages(row.text(column))) return *stages;
  row.fail(column, fmt::format("expected the seconds of input, compute, network and whole "
                               "iteration, such as \"0.446:0.008:0:0.49\", got \"{}\"",
                               row.text(column)));
}

}  // namespace

NativeRowReader::NativeRowReader(const CsvReader& csv, const NativeColumns& columns)
    : zone_(columns.time_zone()) {
  const auto find = [&](const char* column) { return csv.find(columns.in_table(column)); };
  name_ = find("name");
  user_ = find("user");
  virtual_cluster_ = find("virtual_cluster");
  group_ = find("group");
  model_ = find("model");
  gang_ = find("gang");
  gang_min_ = find("gang_min");
  gang_max_ = find("gang_max");
  gpu_share_ = find("gpu_share");
  batch_ = find("batch");
  batch_plan_ = find("batch_plan");
  samples_ = find("samples");
  arrival_ = find("arrival");
  run_time_ = find("run_time");
  estimate_ = find("estimate");
  deadline_ = find("deadline");
  outcome_ = find("outcome");
  failures_ = find("failures");
  class_ = find("class");
  stages_ = find("stages");
  cores_ = find("cores");
  host_memory_ = find("host_memory");
  host_share_ = find("host_share");
  gpu_types_ = find("gpu_types");
  rates_ = find("rates");
  data_set_ = find("data_set");
  data_size_ = find("data_size");
  application_ = find("application");
  start_ = find("start");
  end_ = find("end");
}

namespace {

int gang_limit(const CsvReader& row, CsvReader::Column column) {
  return static_cast<int>(row.get<std::int64_t>(column, kGangLimit));
}

}  // namespace

TraceRecord NativeRowReader::read(const CsvReader& row) {
  TraceRecord record;
  record.row = row.line();
  record.name = text_of(row, name_);
  record.user = text_of(row, user_);
  record.virtual_cluster = text_of(row, virtual_cluster_);
  record.group = text_of(row, group_);
  read_times(row, record);
  read_request(row, record);
  read_work(row, record);
  stated_estimate_ = given(row, estimate_) ? row.seconds(*estimate_, kTraceTime) : Duration{};
  record.estimates = {&stated_estimate_, 1};
  if (given(row, deadline_)) record.deadline = row.seconds(*deadline_, kTraceTime);
  if (given(row, outcome_)) record.outcome = outcome_of(row, *outcome_);
  if (given(row, failures_)) record.failures = failures_of(row, *failures_);
  if (given(row, class_)) record.opportunistic = is_opportunistic(row, *class_);
  if (given(row, batch_plan_)) record.batch_plan = batch_plan_of(row, *batch_plan_);
  if (given(row, stages_)) record.stages = stages_of(row, *stages_);
  if (given(row, gpu_types_)) record.gpu_types = gpu_types_of(row, *gpu_types_);
  if (given(row, rates_)) record.rates = rates_of(row, *rates_);
  read_data(row, record);
  record.application = text_of(row, application_);
  return record;
}

std::optional<Duration> NativeRowReader::read_date(const CsvReader& row,
                                                   CsvReader::Column column) const {
  const auto date = read_timestamp(row.text(column));
  if (!date) return std::nullopt;
  if (date->has_offset || !zone_) return date->time;
  if (const auto utc = zone_->to_utc(date->time)) return utc;
  row.fail(column,
           fmt::format("clocks in {} never showed \"{}\", because they were set forward past it; "
                       "state the zone in which the table was written, or the offset",
                       zone_->name(), row.text(column)));
}

Duration NativeRowReader::read_time(const CsvReader& row, CsvReader::Column column) {
  const auto date = read_date(row, column);
  if (dated_ && *dated_ != date.has_value()) {
    row.fail(column, fmt::format("\"{}\" is {}, where the rows above have {}", row.text(column),
                                 date ? "a date" : "no date", date ? "seconds" : "dates"));
  }
  if (!date && !parse_number(row.text(column))) {
    row.fail(column, fmt::format("expected seconds, or a date as \"YYYY-mm-dd HH:MM:SS\" with or "
                                 "without an offset such as +08:00, got \"{}\"",
                                 row.text(column)));
  }
  const Duration time = date ? *date : row.seconds(column, kTraceTime);
  dated_ = date.has_value();
  return time;
}

void NativeRowReader::read_times(const CsvReader& row, TraceRecord& record) {
  record.submit = read_time(row, *arrival_);
  record.dated = *dated_;
  record.tells_of_start = start_.has_value();
  if (start_ && !stands_for_nothing(row.text(*start_))) record.start = read_time(row, *start_);
  if (end_ && !stands_for_nothing(row.text(*end_))) record.end = read_time(row, *end_);
}

void NativeRowReader::read_request(const CsvReader& row, TraceRecord& record) const {
  const auto gang = row.get<double>(*gang_, kTraceGpus);
  record.add_gpus(gang);
  record.gpus_at = row.place(*gang_);
  if (given(row, gang_min_)) record.gang_min = gang_limit(row, *gang_min_);
  if (given(row, gang_max_)) record.gang_max = gang_limit(row, *gang_max_);
  if (given(row, cores_)) record.cores = row.get<double>(*cores_, kHostAmount);
  if (given(row, host_memory_))
    record.host_memory = Bytes{row.get<double>(*host_memory_, kHostAmount)};
  if (given(row, host_share_)) record.host_share = row.get<double>(*host_share_, kFraction);
  record.needs_cores_only = gang == 0.0 && record.cores > 0.0;
  if (given(row, gpu_share_)) {
    record.gpu_share = row.get<double>(*gpu_share_, kShare);
    if (record.gpu_share < 1.0 && gang != 1.0) {
      row.fail(*gpu_share_,
               fmt::format("a gang of {} cannot have parts of GPUs; only a gang of 1 can", gang));
    }
  }
  if (given(row, batch_)) {
    record.total_batch = row.get<std::int64_t>(*batch_, kBatch);
    if (static_cast<double>(record.total_batch) < gang) {
      row.fail(*batch_,
               fmt::format("{} gives {} GPUs less than one sample each", record.total_batch, gang));
    }
  }
}

void NativeRowReader::read_data(const CsvReader& row, TraceRecord& record) const {
  record.data_set = text_of(row, data_set_);
  if (!given(row, data_size_)) return;
  if (record.data_set.empty()) row.fail(*data_size_, "needs a data set; name it in data_set");
  record.data_size = Bytes{row.get<double>(*data_size_, kHostAmount)};
}

void NativeRowReader::read_work(const CsvReader& row, TraceRecord& record) const {
  if (given(row, model_)) {
    record.model = row.text(*model_);
    record.model_at = row.place(*model_);
  }
  if (given(row, run_time_)) record.run_time = row.seconds(*run_time_, kTraceTime);
  if (given(row, samples_)) {
    if (record.model.empty()) row.fail(*samples_, "samples need a model; state a run_time instead");
    record.samples = row.get<double>(*samples_, kStatedSamples);
  }
  if (record.run_time || record.samples > 0.0 || start_) return;
  throw ConfigError({row.where(*gang_).file, row.line(), 1}, "",
                    "the row states no work: give it a run_time, or a model and samples");
}

std::string gpu_types_text(const std::vector<std::string>& types) {
  return fmt::format("{}", fmt::join(types, ";"));
}

std::vector<std::string> parse_gpu_types(std::string_view text) {
  std::vector<std::string> types;
  while (true) {
    const auto end = text.find(';');
    if (end == 0 || text.empty()) return {};
    types.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return types;
    text.remove_prefix(end + 1);
  }
}

std::string rates_text(const TypeRates& rates) {
  std::vector<std::string> texts;
  for (const auto& [type, rate] : rates) texts.push_back(fmt::format("{}:{}", type, rate));
  return fmt::format("{}", fmt::join(texts, ";"));
}

TypeRates parse_rates(std::string_view text) {
  TypeRates rates;
  for (const std::string& entry : parse_gpu_types(text)) {
    const auto colon = entry.find(':');
    if (colon == std::string::npos || colon == 0) return {};
    const auto rate = parse_number(std::string_view(entry).substr(colon + 1));
    if (!rate || !(*rate > 0.0)) return {};
    rates.emplace_back(entry.substr(0, colon), *rate);
  }
  return rates;
}

}  // namespace mimus::workloads
