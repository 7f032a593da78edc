// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/traces/row_sink.hpp"
#include "workloads/traces/trace_options.hpp"

namespace mimus::workloads {

/// Which rows of a trace a cell takes. Counts what it leaves out.
class TraceFilter {
 public:
  /// `traits` and `options` must outlive the filter.
  TraceFilter(const TraceTraits& traits, const TraceOptions& options, std::string file,
              int cluster_gpus);

  /// `since_first` is the time from the first submission of the trace. Throws ConfigError for a
  /// gang larger than the cluster when such are refused.
  [[nodiscard]] bool admits(const ParsedRow& row, Duration since_first, ImportReport& report) const;

 private:
  [[nodiscard]] bool fits(const ParsedRow& row, ImportReport& report) const;

  const TraceTraits& traits_;
  const TraceOptions& options_;
  std::string file_;
  int cluster_gpus_;
  std::string too_large_, clamped_;  ///< in words, for the report
};

}  // namespace mimus::workloads
