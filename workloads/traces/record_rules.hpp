// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "workloads/traces/import_report.hpp"
#include "workloads/traces/trace_record.hpp"
#include "workloads/traces/trace_traits.hpp"

namespace mimus::workloads {

/// Makes jobs of records and applies the rule of every oddity on the way.
class RecordRules {
 public:
  /// `file` stands for the trace's main file in messages. `traits` must outlive the rules.
  RecordRules(const TraceTraits& traits, OddityPolicy policy, std::string file)
      : traits_(traits), policy_(policy), file_(std::move(file)) {}

  /// Fills in a new job but for its id, its arrival counted from the trace's zero; false when a
  /// rule drops it. Counts in `report`. Throws ConfigError for a gang that is out of range.
  [[nodiscard]] bool apply(const TraceRecord& record, Job& job, ImportReport& report) const;

  [[nodiscard]] const OddityPolicy& policy() const { return policy_; }
  /// Counts the row under the oddity's rule; true when the remedy is to drop it.
  bool drops(Oddity oddity, int row, ImportReport& report) const;

 private:
  [[nodiscard]] bool take_times(const TraceRecord& record, Job& job, ImportReport& report) const;
  [[nodiscard]] bool take_gang(const TraceRecord& record, Job& job, ImportReport& report) const;

  const TraceTraits& traits_;
  OddityPolicy policy_;
  std::string file_;
};

}  // namespace mimus::workloads
