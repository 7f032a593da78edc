// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traces/row_sink.hpp"

#include <algorithm>
#include <unordered_set>

namespace mimus::workloads {
namespace {

/// Shorter texts first, then alphabetically, which is the order of numbers without leading zeros.
bool ascends(const std::string& a, const std::string& b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

bool earlier(const ParsedRow& a, const ParsedRow& b) {
  return a.job.arrival < b.job.arrival;
}

bool above(const ParsedRow& a, const ParsedRow& b) {
  return a.row < b.row;
}

}  // namespace

/// A record together with the texts that it refers to.
struct RowSink::Unended {
  explicit Unended(const TraceRecord& original)
      : record(original),
        name(original.name),
        user(original.user),
        virtual_cluster(original.virtual_cluster),
        group(original.group),
        model(original.model),
        estimates(original.estimates.begin(), original.estimates.end()) {}

  [[nodiscard]] TraceRecord ended(Duration at) const {
    TraceRecord out = record;
    out.name = name;
    out.user = user;
    out.virtual_cluster = virtual_cluster;
    out.group = group;
    out.model = model;
    out.estimates = estimates;
    out.end = at;
    return out;
  }

  TraceRecord record;
  std::string name, user, virtual_cluster, group, model;
  std::vector<Duration> estimates;
};

RowSink::RowSink(const TraceTraits& traits, const OddityPolicy& policy, std::string file,
                 Strictness strictness)
    : traits_(traits),
      rules_(traits, policy, file),
      file_(std::move(file)),
      strictness_(strictness) {
  trace_.file = file_;
  trace_.report = ImportReport(traits.row_word);
}

RowSink::~RowSink() = default;

void RowSink::expect(std::size_t rows) {
  trace_.rows.reserve(rows);
  trace_.estimates.reserve(rows * traits_.estimates.size());
}

void RowSink::note_time(const TraceRecord& record) {
  last_time_ = std::max({last_time_, record.submit, record.start.value_or(record.submit),
                         record.end.value_or(record.submit)});
}

void RowSink::add(const TraceRecord& record) {
  trace_.report.count_row();
  note_time(record);
  const OddityPolicy& policy = rules_.policy();
  const bool started = record.start || policy.is(Oddity::never_started, "from_submit");
  const bool unended = traits_.may(Oddity::missing_end) && record.tells_of_start && started &&
                       !record.end && !record.run_time;
  if (unended && policy.is(Oddity::missing_end, "until_last")) {
    unended_.emplace_back(record);
  } else {
    keep_unless_dropped(record);
  }
}

/// Constructs the job in its final place, because a trace has up to millions of jobs.
void RowSink::keep_unless_dropped(const TraceRecord& record) {
  ParsedRow& row = trace_.rows.emplace_back();
  bool kept = false;
  try {
    kept = rules_.apply(record, row.job, trace_.report);
  } catch (const ConfigError& error) {
    refuse_counted(error);
  }
  if (!kept) {
    trace_.rows.pop_back();
    return;
  }
  if (record.submit < last_submit_) {
    (void)rules_.drops(Oddity::unsorted, record.row, trace_.report);
  }
  last_submit_ = record.submit;
  trace_.dated = trace_.dated || record.dated;
  row.row = record.row;
  row.gpus_at = record.gpus_at;
  row.model_at = record.model_at;
  row.first_estimate = trace_.estimates.size();
  ensure(record.estimates.size() == traits_.estimates.size(), "estimates differ from the traits");
  trace_.estimates.insert(trace_.estimates.end(), record.estimates.begin(), record.estimates.end());
}

void RowSink::drop(std::string_view reason, std::string_view meaning, int row) {
  trace_.report.count_row();
  trace_.report.count(reason, Effect::dropped, meaning, row);
}

void RowSink::refuse(const ConfigError& error) {
  trace_.report.count_row();
  refuse_counted(error);
}

void RowSink::refuse_counted(const ConfigError& error) {
  if (strictness_ == Strictness::stop_at_first) throw error;
  if (strictness_ == Strictness::collect) return trace_.report.malformed(error);
  trace_.report.count("on_bad_row", Effect::dropped,
                      std::string("cannot be read; the first: ") + error.what(),
                      error.where().line);
}

ParsedTrace RowSink::finish() {
  end_the_unended();
  if (traits_.may(Oddity::duplicate_id)) handle_duplicates();
  if (!std::is_sorted(trace_.rows.begin(), trace_.rows.end(), earlier)) {
    std::stable_sort(trace_.rows.begin(), trace_.rows.end(), earlier);
  }
  trace_.report.set_jobs_kept(static_cast<std::int64_t>(trace_.rows.size()));
  return std::move(trace_);
}

void RowSink::end_the_unended() {
  if (unended_.empty()) return;
  last_submit_ = Duration::min();
  for (const Unended& waiting : unended_) {
    const TraceRecord record = waiting.ended(last_time_);
    (void)rules_.drops(Oddity::missing_end, record.row, trace_.report);
    last_submit_ = record.submit;  // their order among themselves was not checked
    keep_unless_dropped(record);
  }
  unended_.clear();
  std::stable_sort(trace_.rows.begin(), trace_.rows.end(), above);
}

void RowSink::handle_duplicates() {
  auto& rows = trace_.rows;
  const auto ascend = [](const ParsedRow& a, const ParsedRow& b) {
    return !ascends(a.job.name, b.job.name);
  };
  // Most traces number their jobs in ascending order. Then no look-up is needed.
  if (std::adjacent_find(rows.begin(), rows.end(), ascend) == rows.end()) return;
  std::unordered_set<std::string_view> seen;
  seen.reserve(rows.size());
  std::vector<bool> dropped(rows.size(), false);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].job.name.empty() || seen.insert(rows[i].job.name).second) continue;
    dropped[i] = rules_.drops(Oddity::duplicate_id, rows[i].row, trace_.report);
  }
  std::size_t kept = 0;
  seen.clear();  // its views become invalid when rows move
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (dropped[i]) continue;
    if (kept != i) rows[kept] = std::move(rows[i]);
    ++kept;
  }
  rows.resize(kept);
}

}  // namespace mimus::workloads
