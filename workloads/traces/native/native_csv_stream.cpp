// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traces/native/native_csv_stream.hpp"

#include <fmt/format.h>

#include "workloads/csv/timestamp.hpp"
#include "workloads/traces/input/input_file.hpp"
#include "workloads/traces/no_jobs_error.hpp"

namespace mimus::workloads {

NativeCsvStream::NativeCsvStream(std::shared_ptr<const TraceSettings> settings,
                                 const NativeColumns& columns, const WorkloadContext& context)
    : NativeCsvStream(settings, columns, context,
                      CsvBlocks::open(expanded_path(settings->path), settings->path),
                      file_content_hash(expanded_path(settings->path))) {}

NativeCsvStream::NativeCsvStream(std::shared_ptr<const TraceSettings> settings,
                                 const NativeColumns& columns, const WorkloadContext& context,
                                 CsvBlocks blocks, std::uint64_t content_hash)
    : settings_(std::move(settings)),
      content_hash_(content_hash),
      blocks_(std::move(blocks)),
      csv_(blocks_.next(), settings_->path, columns.required()),
      rows_(csv_, columns),
      rules_(settings_->traits, settings_->oddities, settings_->path),
      filter_(settings_->traits, settings_->options, settings_->path, context.cluster_gpus),
      shaper_(settings_->traits, settings_->options, settings_->path, context) {}

std::string NativeCsvStream::source_hash() const {
  return settings_->source_hash(content_hash_);
}

std::optional<Job> NativeCsvStream::next() {
  if (settings_->options.first && taken_ == *settings_->options.first) return std::nullopt;
  while (next_row()) {
    const auto row = read_row();
    if (!row || !filter_.admits(*row, *last_submit_ - *first_submit_, report_)) continue;
    if (!origin_) origin_ = settings_->keeps_origin(dated_) ? Instant{} : row->job.arrival;
    report_.set_jobs_kept(++taken_);
    return shaper_.shape(*row, {&estimate_, 1}, *origin_);
  }
  if (report_.rows_read() == 0) throw NoJobsError(settings_->path);
  return std::nullopt;
}

bool NativeCsvStream::next_row() {
  while (!csv_.next()) {
    const std::string_view more = blocks_.next();
    if (more.empty()) return false;
    csv_.continue_with(more);
  }
  return true;
}

std::optional<ParsedRow> NativeCsvStream::read_row() {
  const TraceRecord record = rows_.read(csv_);
  report_.count_row();
  check_order(record);
  estimate_ = record.estimates.front();
  dated_ = record.dated;
  std::optional<ParsedRow> row(std::in_place);
  if (!rules_.apply(record, row->job, report_)) return std::nullopt;
  row->row = record.row;
  row->gpus_at = record.gpus_at;
  row->model_at = record.model_at;
  return row;
}

void NativeCsvStream::check_order(const TraceRecord& record) {
  if (last_submit_ && record.submit < *last_submit_) {
    csv_.fail(csv_.column("arrival"),
              fmt::format("{} s is before the row above, which arrives at {} s; sort the file or "
                          "leave out \"stream: true\"",
                          format_seconds(record.submit), format_seconds(*last_submit_)));
  }
  if (!first_submit_) first_submit_ = record.submit;
  last_submit_ = record.submit;
}

}  // namespace mimus::workloads
