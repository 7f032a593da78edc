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

std::size_t row_hint(std::string_view text) {
  constexpr std::ptrdiff_t kMost = std::ptrdiff_t{1} << 20;  // a file may be all line breaks
  return static_cast<std::size_t>(std::min(kMost, std::count(text.begin(), text.end(), '\n')));
}

}  // namespace mimus::workloads
