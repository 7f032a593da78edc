// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace mimus::emulator::cli {

/// Columns of text with a header. When the table is wider than the terminal, only the last column
/// wraps, at words. The others hold names and numbers, which must not be cut.
class TextTable {
 public:
  enum class Align { left, right };
  struct Column {
    std::string header;
    Align align = Align::left;
  };

  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// InternalError unless there is one cell per column.
  void add_row(std::vector<std::string> cells);
  /// Lines that end in newline, without trailing blanks. The header is omitted if all of its texts
  /// are empty.
  [[nodiscard]] std::string render(int width) const;

 private:
  [[nodiscard]] std::vector<std::size_t> column_widths() const;
  [[nodiscard]] std::vector<std::string> headers() const;
  void append_row(std::string& out, const std::vector<std::string>& cells,
                  const std::vector<std::size_t>& widths, std::size_t total) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace mimus::emulator::cli
