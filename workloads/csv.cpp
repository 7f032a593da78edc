// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/csv.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "workloads/csv_scanner.hpp"

namespace mimus::workloads {

CsvTable::CsvTable(std::string_view text, const std::string& name,
                   const std::vector<std::string>& required_columns)
    : name_(name) {
  CsvScanner scanner(text, name);
  if (scanner.at_end()) {
    throw ConfigError({name, 1, 1}, "",
                      fmt::format("is empty; expected a header line with the columns {}",
                                  fmt::join(required_columns, ", ")));
  }
  set_header(scanner.next_record(), required_columns);
  while (!scanner.at_end()) add_record(scanner.next_record());
}

void CsvTable::set_header(const std::vector<ConfigNode>& names,
                          const std::vector<std::string>& required) {
  for (const ConfigNode& column : names) {
    if (column.scalar.empty()) throw ConfigError(column.where, "", "column without a name");
    if (!columns_.emplace(column.scalar, header_.size()).second) {
      throw ConfigError(column.where, "", fmt::format("duplicate column \"{}\"", column.scalar));
    }
    header_.push_back(column.scalar);
  }
  for (const std::string& column : required) {
    if (columns_.contains(column)) continue;
    throw ConfigError(
        names.front().where, "",
        fmt::format("missing column \"{}\"; the header has {}", column, fmt::join(header_, ", ")));
  }
}

void CsvTable::add_record(std::vector<ConfigNode> record) {
  if (record.size() != header_.size()) {
    throw ConfigError(record.front().where, "",
                      fmt::format("the line has {} fields where the header has {}", record.size(),
                                  header_.size()));
  }
  records_.push_back(std::move(record));
}

const ConfigNode& CsvRow::field(const std::string& column) const {
  const auto found = table_->columns_.find(column);
  ensure(found != table_->columns_.end(), "CSV column was not listed as required");
  return table_->records_[index_][found->second];
}

SourceLocation CsvRow::where(const std::string& column) const {
  return field(column).where;
}

void CsvRow::fail(const std::string& column, const std::string& what) const {
  throw ConfigError(where(column), column, what);
}

}  // namespace mimus::workloads
