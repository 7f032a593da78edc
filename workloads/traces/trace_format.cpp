// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traces/trace_format.hpp"

#include <algorithm>

namespace mimus::workloads {

void read_rows(CsvReader& csv, RowSink& sink,
               const std::function<std::optional<TraceRecord>(const CsvReader&)>& read) {
  bool more = true;
  while (more) {
    try {
      more = csv.next();
      if (!more) break;
      if (const auto record = read(csv)) sink.add(*record);
    } catch (const ConfigError& error) {
      sink.refuse(error);
    }
  }
}

std::size_t line_count(std::string_view text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace mimus::workloads
