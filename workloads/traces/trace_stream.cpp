// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traces/trace_stream.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "workloads/csv/timestamp.hpp"
#include "workloads/traces/trace_filter.hpp"

namespace mimus::workloads {

TraceStream::TraceStream(std::shared_ptr<const TraceSettings> settings,
                         std::shared_ptr<const ParsedTrace> trace, const WorkloadContext& context,
                         Strictness strictness)
    : settings_(std::move(settings)),
      trace_(std::move(trace)),
      strictness_(strictness),
      report_(trace_->report),
      shaper_(settings_->traits, settings_->options, trace_->file, context) {
  check_estimate();
  choose_rows(context);
  set_origin();
}

void TraceStream::check_estimate() const {
  const TraceOptions& options = settings_->options;
  const auto& missing = trace_->missing_estimates;
  if (options.estimate != StatedEstimate::column) return;
  if (std::find(missing.begin(), missing.end(), options.estimate_column) == missing.end()) return;
  throw ConfigError({trace_->file, 1, 1}, "",
                    fmt::format("missing column \"{}\", which \"estimate\" names",
                                settings_->traits.estimates[options.estimate_column]));
}

void TraceStream::choose_rows(const WorkloadContext& context) {
  const auto& rows = trace_->rows;
  if (rows.empty()) return;
  const TraceFilter filter(settings_->traits, settings_->options, trace_->file,
                           context.cluster_gpus);
  const auto most = static_cast<std::size_t>(
      settings_->options.first.value_or(static_cast<std::int64_t>(rows.size())));
  chosen_.reserve(std::min(most, rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (chosen_.size() == most) {
      report_.remark(fmt::format("first {} of {} jobs", most, rows.size()));
      break;
    }
    try {
      const Duration since_first = rows[i].job.arrival - rows.front().job.arrival;
      if (filter.admits(rows[i], since_first, report_)) {
        chosen_.push_back(static_cast<std::uint32_t>(i));
      }
    } catch (const ConfigError& error) {
      refuse(error);
    }
  }
  report_.set_jobs_kept(static_cast<std::int64_t>(chosen_.size()));
}

void TraceStream::set_origin() {
  if (settings_->keeps_origin(trace_->dated) || chosen_.empty()) return;
  origin_ = trace_->rows[chosen_.front()].job.arrival;
  if (origin_ == Instant{}) return;
  report_.remark(fmt::format("arrivals shifted so that the first is 0: it was {} s",
                             format_seconds(origin_.time_since_epoch())));
}

void TraceStream::refuse(const ConfigError& error) {
  if (strictness_ == Strictness::stop_at_first) throw error;
  report_.malformed(error);
}

std::span<const Duration> TraceStream::estimates_of(const ParsedRow& row) const {
  return std::span(trace_->estimates)
      .subspan(row.first_estimate, settings_->traits.estimates.size());
}

std::optional<Job> TraceStream::next() {
  while (next_ < chosen_.size()) {
    const ParsedRow& row = trace_->rows[chosen_[next_++]];
    try {
      return shaper_.shape(row, estimates_of(row), origin_);
    } catch (const ConfigError& error) {
      refuse(error);
      report_.set_jobs_kept(report_.jobs_kept() - 1);
    }
  }
  return std::nullopt;
}

std::optional<std::int64_t> TraceStream::size() const {
  if (strictness_ == Strictness::collect) return std::nullopt;
  return static_cast<std::int64_t>(chosen_.size());
}

std::string TraceStream::source() const {
  return settings_->path;
}

std::string TraceStream::source_hash() const {
  return settings_->source_hash(trace_->content_hash);
}

}  // namespace mimus::workloads
