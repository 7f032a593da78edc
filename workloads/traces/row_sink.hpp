// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "workloads/traces/record_rules.hpp"

namespace mimus::workloads {

/// What happens at a malformed row.
enum class Strictness {
  stop_at_first,  ///< the ConfigError is thrown: a run must not start on half a trace
  collect,        ///< it goes into the report and the next row is read
  skip,           ///< it is left out and counted like an oddity
};

/// A job as parsed, with where it stood.
struct ParsedRow {
  Job job;  ///< no id; arrival counted from the trace's zero; see JobShaper for the rest
  int row = 0;
  Place gpus_at, model_at;
  std::size_t first_estimate = 0;  ///< into ParsedTrace::estimates
};

/// A trace in memory, shared by everything in the process that reads it.
struct ParsedTrace {
  std::string file;                 ///< the main one, for messages
  std::vector<ParsedRow> rows;      ///< in order of arrival, ties in the order of the file
  std::vector<Duration> estimates;  ///< of every row, in the order of TraceTraits::estimates
  std::vector<std::size_t> missing_estimates;  ///< columns that the file does not have
  ImportReport report;
  bool dated = false;  ///< its zero is 1970
  std::uint64_t content_hash = 0;
};

/// Takes the records of a trace, applies the rules and puts the jobs in order.
class RowSink {
 public:
  RowSink(const TraceTraits& traits, const OddityPolicy& policy, std::string file,
          Strictness strictness);

  ~RowSink();
  RowSink(const RowSink&) = delete;
  RowSink& operator=(const RowSink&) = delete;

  /// Makes room; a hint.
  void expect(std::size_t rows);
  /// Refuses a record that no rule can make a job of.
  void add(const TraceRecord& record);
  /// Leaves a record out for a reason of the format's own.
  void drop(std::string_view reason, std::string_view meaning, int row);
  /// Says that the file does not have this column of TraceTraits::estimates.
  void lacks_estimate(std::size_t index) { trace_.missing_estimates.push_back(index); }
  /// A row that is no record: throws `error` or collects it.
  void refuse(const ConfigError& error);

  [[nodiscard]] const std::string& file() const { return file_; }
  /// The whole trace. The sink is empty afterwards.
  [[nodiscard]] ParsedTrace finish();

 private:
  struct Unended;
  /// The same for a row that has been counted.
  void refuse_counted(const ConfigError& error);
  void keep_unless_dropped(const TraceRecord& record);
  void end_the_unended();
  void handle_duplicates();
  void note_time(const TraceRecord& record);

  const TraceTraits& traits_;
  RecordRules rules_;
  std::string file_;
  Strictness strictness_;
  ParsedTrace trace_;
  std::vector<Unended> unended_;  ///< records to end at the last time of the trace
  Duration last_submit_ = Duration::min();
  Duration last_time_ = Duration::min();
};

}  // namespace mimus::workloads
