// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/cli/text/text_table.hpp"

#include <algorithm>
#include <sstream>

#include "base/error.hpp"

namespace mimus::emulator::cli {
namespace {

constexpr std::size_t kGap = 2;
constexpr std::size_t kNarrowest = 24;  ///< width of a column that is wrapped

/// Number of characters that a terminal shows. Continuation bytes of UTF-8 take no room.
std::size_t shown_length(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
  std::vector<std::string> lines;
  std::istringstream words(text);
  std::string line;
  for (std::string word; words >> word;) {
    if (!line.empty() && shown_length(line) + 1 + shown_length(word) > width) {
      lines.push_back(std::move(line));
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  lines.push_back(std::move(line));
  return lines;
}

void append_padded(std::string& out, const std::string& text, std::size_t width,
                   TextTable::Align align) {
  const std::size_t length = shown_length(text);
  const std::string pad(width > length ? width - length : 0, ' ');
  out += align == TextTable::Align::right ? pad + text : text + pad;
}

void append_line(std::string& out, std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  out += line + "\n";
}

}  // namespace

void TextTable::add_row(std::vector<std::string> cells) {
  ensure(cells.size() == columns_.size(), "a table row has as many cells as there are columns");
  rows_.push_back(std::move(cells));
}

std::vector<std::size_t> TextTable::column_widths() const {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    std::size_t width = shown_length(columns_[c].header);
    for (const auto& row : rows_) width = std::max(width, shown_length(row[c]));
    widths.push_back(width);
  }
  return widths;
}

std::vector<std::string> TextTable::headers() const {
  std::vector<std::string> out;
  for (const Column& column : columns_) out.push_back(column.header);
  return out;
}

void TextTable::append_row(std::string& out, const std::vector<std::string>& cells,
                           const std::vector<std::size_t>& widths, std::size_t total) const {
  std::string line;
  std::size_t indent = 0;
  for (std::size_t c = 0; c + 1 < cells.size(); ++c) {
    append_padded(line, cells[c], widths[c], columns_[c].align);
    line += std::string(kGap, ' ');
    indent += widths[c] + kGap;
  }
  const std::size_t room = std::max(total > indent ? total - indent : 0, kNarrowest);
  if (shown_length(cells.back()) <= room) {
    append_padded(line, cells.back(), std::min(widths.back(), room), columns_.back().align);
    append_line(out, line);
    return;
  }
  for (const std::string& part : wrapped(cells.back(), room)) {
    append_line(out, line + part);
    line = std::string(indent, ' ');
  }
}

std::string TextTable::render(int width) const {
  const std::vector<std::size_t> widths = column_widths();
  const auto total = static_cast<std::size_t>(std::max(width, 0));
  std::string out;
  const std::vector<std::string> titles = headers();
  const auto has_text = [](const std::string& text) { return !text.empty(); };
  if (std::any_of(titles.begin(), titles.end(), has_text)) append_row(out, titles, widths, total);
  for (const auto& row : rows_) append_row(out, row, widths, total);
  return out;
}

}  // namespace mimus::emulator::cli
