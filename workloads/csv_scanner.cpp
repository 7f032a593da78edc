// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/csv_scanner.hpp"

namespace mimus::workloads {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

CsvScanner::CsvScanner(std::string_view text, std::string name)
    : text_(text), name_(std::move(name)) {
  if (text_.starts_with(kByteOrderMark)) text_.remove_prefix(kByteOrderMark.size());
}

char CsvScanner::take() {
  const char c = text_[position_];
  if (c == '\0') throw ConfigError(here(), "", "NUL byte; the file is not text");
  ++position_;
  if (c == '\n') {
    ++line_;
    column_ = 1;
  } else {
    ++column_;
  }
  return c;
}

bool CsvScanner::at_line_break() {
  if (at_end() || peek() == '\n') return true;
  if (peek() != '\r') return false;
  if (position_ + 1 < text_.size() && text_[position_ + 1] == '\n') return true;
  throw ConfigError(here(), "", "carriage return without line feed; save with LF or CRLF lines");
}

void CsvScanner::skip_line_break() {
  if (!at_end() && peek() == '\r') take();
  if (!at_end()) take();
}

std::vector<ConfigNode> CsvScanner::next_record() {
  if (at_line_break()) throw ConfigError(here(), "", "empty line; delete it");
  std::vector<ConfigNode> record;
  record.push_back(next_field());
  while (!at_line_break()) {
    take();  // the comma that ended the field
    record.push_back(next_field());
  }
  skip_line_break();
  return record;
}

ConfigNode CsvScanner::next_field() {
  ConfigNode field = ConfigNode::text("", here());
  if (!at_end() && peek() == '"') {
    take_quoted(field.scalar);
  } else {
    take_plain(field.scalar);
  }
  return field;
}

void CsvScanner::take_plain(std::string& field) {
  while (!at_line_break() && peek() != ',') {
    if (peek() == '"') {
      throw ConfigError(here(), "", "quote inside an unquoted field; quote the whole field");
    }
    field += take();
  }
}

void CsvScanner::take_quoted(std::string& field) {
  const SourceLocation opening = here();
  take();
  while (true) {
    if (at_end()) throw ConfigError(opening, "", "quoted field is not closed");
    const char c = take();
    if (c != '"') {
      field += c;
    } else if (!at_end() && peek() == '"') {
      field += take();
    } else {
      break;
    }
  }
  if (!at_line_break() && peek() != ',') {
    throw ConfigError(here(), "", "text after a closing quote; expected a comma or the line's end");
  }
}

}  // namespace mimus::workloads
