// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/yaml_reader.hpp"

namespace mimus::workloads {

/// Line and column, from 1 and in bytes, of a value in a file.
struct Place {
  int line = 0;
  int column = 0;
};

/// How text is cut into fields.
struct CsvDialect {
  char delimiter = ',';
  bool quotes = true;  ///< RFC 4180; otherwise a quotation mark is a character like any other
  /// Fields are separated by any number of spaces and tabs instead, and empty lines are skipped.
  bool blanks = false;
  char comment = '\0';  ///< lines that begin with it are skipped
};

/// Walks a table row by row without copying it: fields are views into the text, numbers are read
/// where they stand, and places are worked out only when something is wrong. Columns are found by
/// name and further ones may be present. LF and CRLF, quoted fields with doubled quotes and a UTF-8
/// byte-order mark are understood. Everything else that is odd, text that is not UTF-8 too, is a
/// ConfigError with file, line and column (in bytes); the row after it can still be read.
class CsvReader {
 public:
  enum class Column : std::size_t {};  ///< position of a column in every row

  /// A table with a header line. Throws ConfigError when a required column is missing. `text` must
  /// outlive the reader; `name` stands for the file in messages.
  CsvReader(std::string_view text, std::string name, const std::vector<std::string>& required,
            CsvDialect dialect = {});
  /// A table without a header line.
  [[nodiscard]] static CsvReader without_header(std::string_view text, std::string name,
                                                std::vector<std::string> columns,
                                                CsvDialect dialect = {});

  /// Steps to the next row; false after the last one. Throws ConfigError for a row that cannot be
  /// cut into the right number of fields.
  [[nodiscard]] bool next();
  /// Goes on in `text`, which follows the exhausted one in the same file.
  void continue_with(std::string_view text);
  /// The text begins at this line of its file, not at the first.
  void count_lines_from(int line) { next_line_ = line; }

  [[nodiscard]] Column column(std::string_view name) const;  ///< must exist
  [[nodiscard]] std::optional<Column> find(std::string_view name) const;

  /// The field of the current row; valid until the next call of next().
  [[nodiscard]] std::string_view text(Column column) const { return field(column).text; }
  [[nodiscard]] bool blank(Column column) const { return field(column).text.empty(); }
  /// The field read as strictly as a YAML scalar. Throws ConfigError at the field.
  template <ScalarValue T>
  [[nodiscard]] T get(Column column, Limits limits = kAny) const {
    return read_scalar<T>(node(column), name_of(column), limits);
  }
  /// The same by the column's name, looked up each time: for small tables.
  template <ScalarValue T>
  [[nodiscard]] T get(std::string_view name, Limits limits = kAny) const {
    return get<T>(column(name), limits);
  }
  /// A number of seconds; decimals are exact down to nanoseconds. `limits` in seconds.
  [[nodiscard]] Duration seconds(Column column, Limits limits = kAny) const;

  [[nodiscard]] int line() const { return line_; }  ///< where the current row begins
  [[nodiscard]] Place place(Column column) const { return place(field(column).at); }
  [[nodiscard]] SourceLocation where(Column column) const { return where(field(column).at); }
  /// ConfigError at the field.
  [[noreturn]] void fail(Column column, const std::string& what) const;
  [[noreturn]] void fail(std::string_view name, const std::string& what) const {
    fail(column(name), what);
  }

 private:
  struct Field {
    std::string_view text;
    const char* at;  ///< its first character in the text, or its opening quotation mark
  };

  CsvReader(std::string_view text, std::string name, CsvDialect dialect);
  void set_header(const std::vector<std::string>& required);
  void skip_lines();
  void skip_blanks();
  void scan_row();
  [[nodiscard]] Field scan_plain();
  [[nodiscard]] Field scan_quoted();
  [[nodiscard]] bool at_line_end();
  void pass_checked();
  [[noreturn]] void refuse(const char* at, const std::string& what);

  [[nodiscard]] const Field& field(Column column) const {
    return fields_[static_cast<std::size_t>(column)];
  }
  [[nodiscard]] const std::string& name_of(Column column) const {
    return columns_[static_cast<std::size_t>(column)];
  }
  [[nodiscard]] ConfigNode node(Column column) const;
  [[nodiscard]] Place place(const char* at) const;
  [[nodiscard]] SourceLocation where(const char* at) const;

  std::string name_;
  CsvDialect dialect_;
  std::array<bool, 256> special_{};  ///< end or spoil an unquoted field, or need a look
  const char* cursor_;
  const char* end_;
  const char* row_;    ///< where the current row begins
  int line_ = 0;       ///< of row_
  int next_line_ = 1;  ///< of cursor_
  bool has_header_ = true;
  std::vector<std::string> columns_;
  std::vector<Field> fields_;
  std::deque<std::string> unescaped_;  ///< quoted fields with doubled quotes in them
};

template <>
std::int64_t CsvReader::get<std::int64_t>(Column column, Limits limits) const;
template <>
double CsvReader::get<double>(Column column, Limits limits) const;

}  // namespace mimus::workloads
