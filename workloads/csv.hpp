// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/yaml_reader.hpp"

namespace mimus::workloads {

class CsvTable;

/// One record of a table; valid as long as the table.
class CsvRow {
 public:
  /// The field under `column`, read as strictly as a YAML scalar. Throws ConfigError at the field.
  template <ScalarValue T>
  [[nodiscard]] T get(const std::string& column, Limits limits = kAny) const {
    return read_scalar<T>(field(column), column, limits);
  }
  [[nodiscard]] SourceLocation where(const std::string& column) const;
  /// ConfigError at the field under `column`.
  [[noreturn]] void fail(const std::string& column, const std::string& what) const;

 private:
  friend class CsvTable;
  CsvRow(const CsvTable& table, std::size_t index) : table_(&table), index_(index) {}
  [[nodiscard]] const ConfigNode& field(const std::string& column) const;

  const CsvTable* table_;
  std::size_t index_;
};

/// A comma-separated table with a header line (RFC 4180: quoted fields with doubled quotes, LF or
/// CRLF). Columns are found by name; further ones may be present. A UTF-8 byte-order mark is
/// skipped. Everything else that is odd is refused with file, line and column.
class CsvTable {
 public:
  /// Throws ConfigError. `name` stands for the file in messages.
  CsvTable(std::string_view text, const std::string& name,
           const std::vector<std::string>& required_columns);

  [[nodiscard]] std::size_t rows() const { return records_.size(); }
  [[nodiscard]] CsvRow row(std::size_t index) const { return {*this, index}; }

 private:
  friend class CsvRow;
  void set_header(const std::vector<ConfigNode>& names, const std::vector<std::string>& required);
  void add_record(std::vector<ConfigNode> record);

  std::string name_;
  std::vector<std::string> header_;
  std::map<std::string, std::size_t> columns_;
  std::vector<std::vector<ConfigNode>> records_;
};

}  // namespace mimus::workloads
