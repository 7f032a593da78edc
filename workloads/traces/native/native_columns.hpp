// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.hpp"
#include "workloads/csv/time_zone.hpp"

namespace mimus::workloads {

/// Names of the native CSV's columns, in the order in which they are written.
inline constexpr const char* kNativeColumns[] = {
    "name",       "user",      "virtual_cluster", "group",     "model",     "gang",
    "gpu_share",  "batch",     "samples",         "arrival",   "run_time",  "estimate",
    "outcome",    "failures",  "class",           "stages",    "cores",     "host_memory",
    "host_share", "gpu_types", "rates",           "data_set",  "data_size", "application",
    "gang_min",   "gang_max",  "deadline",        "batch_plan"};

/// Read from other tables in place of a run time, where `columns` names them.
inline constexpr const char* kTimeColumns[] = {"start", "end"};

/// How a table is to be read: under which names it has the columns, its own or those that `columns`
/// gives, and in which time zone its dates are.
class NativeColumns {
 public:
  /// `columns` and `time_zone`.
  [[nodiscard]] static Fields<NativeColumns> fields();

  /// What the table calls this column; empty for a time column that is not given.
  [[nodiscard]] std::string in_table(const std::string& column) const;
  /// The columns that the table must have: those that every row needs, and all that are given.
  [[nodiscard]] std::vector<std::string> required() const;
  /// Of dates without an offset; they are taken as UTC without one.
  [[nodiscard]] const std::optional<TimeZone>& time_zone() const { return zone_; }
  /// All of it in one line, for keys.
  [[nodiscard]] std::string text() const;

 private:
  std::map<std::string, std::string> given_;  ///< by Mimus's name
  std::optional<TimeZone> zone_;
};

}  // namespace mimus::workloads
