// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/csv/csv_reader.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/quantity_text.hpp"
#include "base/utf8.hpp"
#include "workloads/csv/timestamp.hpp"

namespace mimus::workloads {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool within(double value, Limits limits) {
  return value >= limits.min && value <= limits.max;
}

/// Whether the character belongs to a longer UTF-8 sequence, or is a control character other than
/// the end of a line or field.
bool needs_check(char c) {
  const auto byte = static_cast<unsigned char>(c);
  const bool control = byte < 0x20 && c != '\0' && c != '\t' && c != '\n' && c != '\r';
  return byte >= 0x7F || control;
}

}  // namespace

CsvReader::CsvReader(std::string_view text, std::string name, CsvDialect dialect)
    : name_(std::move(name)), dialect_(dialect) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  cursor_ = row_ = text.data();
  end_ = cursor_ + text.size();
  if (dialect.blanks) dialect_.delimiter = ' ';
  for (const char c : {'\n', '\r', '\0', dialect_.delimiter}) {
    special_[static_cast<unsigned char>(c)] = true;
  }
  special_[static_cast<unsigned char>('"')] = dialect.quotes;
  if (dialect.blanks) special_[static_cast<unsigned char>('\t')] = true;
  for (std::size_t byte = 0; byte < special_.size(); ++byte) {
    special_[byte] = special_[byte] || needs_check(static_cast<char>(byte));
  }
}

CsvReader::CsvReader(std::string_view text, std::string name,
                     const std::vector<std::string>& required, CsvDialect dialect)
    : CsvReader(text, std::move(name), dialect) {
  if (cursor_ == end_) {
    throw ConfigError({name_, 1, 1}, "",
                      fmt::format("is empty; expected a header line with the columns {}",
                                  fmt::join(required, ", ")));
  }
  scan_row();
  set_header(required);
}

CsvReader CsvReader::without_header(std::string_view text, std::string name,
                                    std::vector<std::string> columns, CsvDialect dialect) {
  CsvReader reader(text, std::move(name), dialect);
  reader.columns_ = std::move(columns);
  reader.has_header_ = false;
  return reader;
}

void CsvReader::set_header(const std::vector<std::string>& required) {
  for (const Field& field : fields_) {
    if (field.text.empty()) throw ConfigError(where(field.at), "", "column without a name");
    if (find(field.text)) {
      throw ConfigError(where(field.at), "", fmt::format("duplicate column \"{}\"", field.text));
    }
    columns_.emplace_back(field.text);
  }
  for (const std::string& column : required) {
    if (find(column)) continue;
    throw ConfigError(
        where(row_), "",
        fmt::format("missing column \"{}\"; the header has {}", column, fmt::join(columns_, ", ")));
  }
}

std::optional<CsvReader::Column> CsvReader::find(std::string_view name) const {
  const auto found = std::find(columns_.begin(), columns_.end(), name);
  if (found == columns_.end()) return std::nullopt;
  return Column{static_cast<std::size_t>(found - columns_.begin())};
}

CsvReader::Column CsvReader::column(std::string_view name) const {
  const auto found = find(name);
  ensure(found.has_value(), "CSV column was not listed as required");
  return *found;
}

bool CsvReader::next() {
  skip_lines();
  if (cursor_ == end_) return false;
  scan_row();
  if (fields_.size() != columns_.size()) {
    throw ConfigError(where(row_), "",
                      fmt::format("the line has {} fields where the {} has {}", fields_.size(),
                                  has_header_ ? "header" : "format", columns_.size()));
  }
  return true;
}

void CsvReader::continue_with(std::string_view text) {
  ensure(cursor_ == end_, "CSV text continued before its end");
  cursor_ = row_ = text.data();
  end_ = cursor_ + text.size();
  fields_.clear();
}

void CsvReader::skip_lines() {
  while (cursor_ != end_) {
    row_ = cursor_;
    line_ = next_line_;
    skip_blanks();
    const bool comment =
        cursor_ != end_ && dialect_.comment != '\0' && *cursor_ == dialect_.comment;
    if (!comment && !(dialect_.blanks && at_line_end())) return;
    cursor_ = std::find(cursor_, end_, '\n');
    if (cursor_ != end_) ++cursor_;
    ++next_line_;
  }
}

void CsvReader::skip_blanks() {
  while (dialect_.blanks && cursor_ != end_ && (*cursor_ == ' ' || *cursor_ == '\t')) ++cursor_;
}

void CsvReader::scan_row() {
  row_ = cursor_;
  line_ = next_line_;
  fields_.clear();
  unescaped_.clear();
  skip_blanks();
  if (at_line_end()) refuse(cursor_, "empty line; delete it");
  while (true) {
    const bool quoted = dialect_.quotes && cursor_ != end_ && *cursor_ == '"';
    fields_.push_back(quoted ? scan_quoted() : scan_plain());
    skip_blanks();
    if (at_line_end()) break;
    if (!dialect_.blanks) ++cursor_;  // skips the delimiter that ended the field
  }
  if (cursor_ == end_) return;
  cursor_ += *cursor_ == '\r' ? 2 : 1;
  ++next_line_;
}

bool CsvReader::at_line_end() {
  if (cursor_ == end_ || *cursor_ == '\n') return true;
  if (*cursor_ != '\r') return false;
  if (end_ - cursor_ > 1 && cursor_[1] == '\n') return true;
  refuse(cursor_, "carriage return without line feed; save with LF or CRLF lines");
}

CsvReader::Field CsvReader::scan_plain() {
  const char* const begin = cursor_;
  while (cursor_ != end_) {
    if (!special_[static_cast<unsigned char>(*cursor_)]) {
      ++cursor_;
    } else if (needs_check(*cursor_)) {
      pass_checked();
    } else {
      break;
    }
  }
  if (cursor_ != end_ && *cursor_ == '\0') refuse(cursor_, "NUL byte; the file is not text");
  if (cursor_ != end_ && *cursor_ == '"' && dialect_.quotes) {
    refuse(cursor_, "quote inside an unquoted field; quote the whole field");
  }
  return {{begin, static_cast<std::size_t>(cursor_ - begin)}, begin};
}

CsvReader::Field CsvReader::scan_quoted() {
  const char* const opening = cursor_++;
  const char* piece = cursor_;
  std::string* joined = nullptr;
  while (true) {
    if (cursor_ == end_) refuse(opening, "quoted field is not closed");
    if (*cursor_ == '\0') refuse(cursor_, "NUL byte; the file is not text");
    if (needs_check(*cursor_)) {
      pass_checked();
      continue;
    }
    if (*cursor_ == '\n') ++next_line_;
    if (*cursor_++ != '"') continue;
    if (cursor_ == end_ || *cursor_ != '"') break;
    if (joined == nullptr) joined = &unescaped_.emplace_back();
    joined->append(piece, cursor_);  // includes one of the two quotation marks
    piece = ++cursor_;
  }
  const std::string_view last(piece, static_cast<std::size_t>(cursor_ - 1 - piece));
  if (joined != nullptr) joined->append(last);
  if (!at_line_end() && *cursor_ != dialect_.delimiter) {
    refuse(cursor_, "text after a closing quote; expected a comma or the line's end");
  }
  return {joined != nullptr ? std::string_view(*joined) : last, opening};
}

/// Names are later written to JSON, YAML and result files, which are UTF-8.
void CsvReader::pass_checked() {
  const char* const begin = cursor_;
  while (cursor_ != end_ && needs_check(*cursor_)) ++cursor_;
  if (is_utf8_text({begin, static_cast<std::size_t>(cursor_ - begin)})) return;
  refuse(begin,
         "is not valid UTF-8 text; save the file in that encoding, without control characters");
}

void CsvReader::refuse(const char* at, const std::string& what) {
  SourceLocation place = where(at);
  const auto rest = static_cast<std::size_t>(end_ - at);
  const void* line_break = rest > 0 ? std::memchr(at, '\n', rest) : nullptr;
  cursor_ = line_break != nullptr ? static_cast<const char*>(line_break) + 1 : end_;
  next_line_ = place.line + 1;
  throw ConfigError(std::move(place), "", what);
}

Place CsvReader::place(const char* at) const {
  Place place{line_, 0};
  const char* line_begin = row_;
  for (const char* c = row_; c < at; ++c) {
    if (*c != '\n') continue;
    line_begin = c + 1;
    ++place.line;
  }
  place.column = static_cast<int>(at - line_begin) + 1;
  return place;
}

SourceLocation CsvReader::where(const char* at) const {
  const Place found = place(at);
  return {name_, found.line, found.column};
}

ConfigNode CsvReader::node(Column column) const {
  return ConfigNode::text(std::string(text(column)), where(column));
}

void CsvReader::fail(Column column, const std::string& what) const {
  throw ConfigError(where(column), name_of(column), what);
}

Duration CsvReader::seconds(Column column, Limits limits) const {
  const auto exact = parse_seconds(text(column));
  if (exact && within(to_seconds(*exact), limits)) return *exact;
  return from_seconds(read_scalar<double>(node(column), name_of(column), limits));
}

template <>
std::int64_t CsvReader::get<std::int64_t>(Column column, Limits limits) const {
  const auto value = parse_integer(text(column));
  if (value && within(static_cast<double>(*value), limits)) return *value;
  return read_scalar<std::int64_t>(node(column), name_of(column), limits);  // throws the message
}

template <>
double CsvReader::get<double>(Column column, Limits limits) const {
  const auto value = parse_number(text(column));
  if (value && within(*value, limits)) return *value;
  return read_scalar<double>(node(column), name_of(column), limits);  // throws the message
}

}  // namespace mimus::workloads
