// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "workloads/csv/csv_reader.hpp"

namespace mimus::workloads {

/// What a field means that must be one of a few words. Throws ConfigError naming the words.
template <class Value, std::size_t N>
[[nodiscard]] Value read_choice(const CsvReader& row, CsvReader::Column column,
                                std::string_view kind,
                                const std::array<std::pair<std::string_view, Value>, N>& choices) {
  std::vector<std::string> known;
  for (const auto& [word, value] : choices) {
    if (row.text(column) == word) return value;
    known.emplace_back(word);
  }
  row.fail(column, unknown_name_message(kind, row.text(column), known));
}

/// Seconds from the trace's zero; nothing where the field is blank.
[[nodiscard]] std::optional<Duration> seconds_if(const CsvReader& row, CsvReader::Column column);

/// See parse_timestamp(). Throws ConfigError for any other text.
[[nodiscard]] Duration timestamp(const CsvReader& row, CsvReader::Column column);
/// Nothing where the field is blank or one of the words that stand for nothing.
[[nodiscard]] std::optional<Duration> timestamp_if(const CsvReader& row, CsvReader::Column column);

/// True for "", "None", "null", "nan", "NaN" and "NaT": what the tools that wrote the public traces
/// put where there is no value.
[[nodiscard]] bool stands_for_nothing(std::string_view text);

}  // namespace mimus::workloads
