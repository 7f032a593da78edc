// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/summary/text_columns.hpp"

#include <algorithm>

namespace mimus::results {

namespace {

bool begins_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
}

// Terminals count characters, not bytes of UTF-8.
std::size_t characters(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_character));
}

// The byte offset of the character with this number, or the end if there are fewer characters.
std::size_t start_of(const std::string& text, std::size_t character) {
  std::size_t at = 0;
  for (std::size_t seen = 0; at < text.size(); ++at) {
    if (begins_character(text[at]) && seen++ == character) break;
  }
  return at;
}

std::string pad(const std::string& text, std::size_t width, bool left) {
  const std::string space(width - std::min(width, characters(text)), ' ');
  return left ? text + space : space + text;
}

std::size_t total_width(const std::vector<TextColumn>& columns) {
  std::size_t width = 0;
  for (const auto& column : columns) width += column.width + 1;
  return width - 1;
}

}  // namespace

void measure(TextColumn& column) {
  column.width = 0;
  for (const auto& text : column.texts) column.width = std::max(column.width, characters(text));
}

void shorten(TextColumn& column, std::size_t width) {
  for (auto& text : column.texts) {
    const std::size_t length = characters(text);
    if (length <= width) continue;
    const std::size_t head = (width - 2) / 2;
    const std::size_t tail = width - 2 - head;
    text = text.substr(0, start_of(text, head)) + ".." + text.substr(start_of(text, length - tail));
  }
  measure(column);
}

void fit(std::vector<TextColumn>& columns, std::size_t width) {
  while (total_width(columns) > width) {
    auto victim = columns.end();
    for (auto column = columns.begin(); column != columns.end(); ++column) {
      const int least = victim == columns.end() ? 1 : victim->importance;
      if (column->importance >= least) victim = column;
    }
    if (victim == columns.end()) return;
    columns.erase(victim);
  }
}

std::string joined(const std::vector<TextColumn>& columns) {
  std::string text;
  for (std::size_t row = 0; row < columns.front().texts.size(); ++row) {
    std::string line;
    for (const auto& column : columns) {
      line += pad(column.texts[row], column.width, column.left) + " ";
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

}  // namespace mimus::results
