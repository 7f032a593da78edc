// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/config_tree.hpp"

namespace mimus::workloads {

/// Cuts text into records of fields, each with the place where it begins.
class CsvScanner {
 public:
  CsvScanner(std::string_view text, std::string name);

  [[nodiscard]] bool at_end() const { return position_ == text_.size(); }
  /// The next record. Throws ConfigError on broken quoting, stray carriage returns, NUL bytes and
  /// empty lines. Call only while !at_end().
  [[nodiscard]] std::vector<ConfigNode> next_record();

 private:
  [[nodiscard]] ConfigNode next_field();
  void take_quoted(std::string& field);
  void take_plain(std::string& field);
  [[nodiscard]] bool at_line_break();
  void skip_line_break();
  [[nodiscard]] char peek() const { return text_[position_]; }
  char take();
  [[nodiscard]] SourceLocation here() const { return {name_, line_, column_}; }

  std::string_view text_;
  std::string name_;
  std::size_t position_ = 0;
  int line_ = 1;
  int column_ = 1;
};

}  // namespace mimus::workloads
