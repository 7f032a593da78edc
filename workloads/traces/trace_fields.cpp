// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traces/trace_fields.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "workloads/csv/timestamp.hpp"
#include "workloads/traces/trace_format.hpp"

namespace mimus::workloads {

bool stands_for_nothing(std::string_view text) {
  constexpr std::array<std::string_view, 6> kNothing{"", "None", "null", "nan", "NaN", "NaT"};
  return std::find(kNothing.begin(), kNothing.end(), text) != kNothing.end();
}

std::optional<Duration> seconds_if(const CsvReader& row, CsvReader::Column column) {
  if (stands_for_nothing(row.text(column))) return std::nullopt;
  return row.seconds(column, kTraceTime);
}

Duration timestamp(const CsvReader& row, CsvReader::Column column) {
  if (const auto time = parse_timestamp(row.text(column))) return *time;
  row.fail(column, fmt::format("expected a time as \"YYYY-mm-dd HH:MM:SS\", from 1970 to 2099, "
                               "got \"{}\"",
                               row.text(column)));
}

std::optional<Duration> timestamp_if(const CsvReader& row, CsvReader::Column column) {
  if (stands_for_nothing(row.text(column))) return std::nullopt;
  return timestamp(row, column);
}

}  // namespace mimus::workloads
