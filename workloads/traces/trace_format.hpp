// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "workloads/csv/csv_reader.hpp"
#include "workloads/jobs/workload_source.hpp"
#include "workloads/traces/row_sink.hpp"
#include "workloads/traces/trace_fields.hpp"
#include "workloads/traces/trace_settings.hpp"

namespace mimus::workloads {

/// A file of a trace in memory.
struct TraceFile {
  std::string name;  ///< as the user wrote it, for messages
  std::string text;
};

/// What one format adds: how its files become records. Everything else (options, oddities, order,
/// provenance, memory) is TraceSource's.
class TraceFormat {
 public:
  virtual ~TraceFormat() = default;
  /// The files of the trace at `path`, the main one first.
  [[nodiscard]] virtual std::vector<std::string> files(const std::string& path) const {
    return {path};
  }
  /// The format's own options that change what parse() yields, in one line.
  [[nodiscard]] virtual std::string options_text() const { return ""; }
  /// Adds every row to `sink`. Throws ConfigError for what concerns the whole file.
  virtual void parse(std::span<const TraceFile> files, RowSink& sink) const = 0;
  /// A stream that reads the file while it is consumed; nothing where the format, or its options,
  /// want the trace in memory. The models of `context` must outlive the stream.
  [[nodiscard]] virtual std::unique_ptr<JobStream> stream(
      const std::shared_ptr<const TraceSettings>& /*settings*/,
      const WorkloadContext& /*context*/) const {
    return nullptr;
  }
};

/// Adds the record that `read` makes of each row; it makes none of rows that it has dropped itself.
/// A malformed row goes to `sink`, which decides whether the next one is read.
void read_rows(CsvReader& csv, RowSink& sink,
               const std::function<std::optional<TraceRecord>(const CsvReader&)>& read);

/// How many rows to make room for: the lines of the text, within reason.
[[nodiscard]] std::size_t row_hint(std::string_view text);

/// Longest time from a trace's zero, and longest run time, that importers accept [s].
inline constexpr double kMaxTraceSeconds = 4.2e9;
inline constexpr Limits kTraceTime{.min = 0.0, .max = kMaxTraceSeconds};
inline constexpr Limits kTraceSpan{.min = -kMaxTraceSeconds, .max = kMaxTraceSeconds};
inline constexpr Limits kTraceGpus{.min = 0.0, .max = 1e6};

}  // namespace mimus::workloads
