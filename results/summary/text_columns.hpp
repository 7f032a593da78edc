// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace mimus::results {

/// A column ready to print: title, unit, then one text per row.
struct TextColumn {
  std::vector<std::string> texts;
  std::size_t width = 0;  ///< characters
  int importance = 0;     ///< 0 is kept longest when the terminal is narrow, -1 always
  bool left = false;
};

/// Sets the width that the texts need.
void measure(TextColumn& column);
/// Cuts texts that are longer than `width` in the middle, because both ends distinguish rows.
void shorten(TextColumn& column, std::size_t width);
/// Omits the rightmost of the least important columns until the rest fits.
void fit(std::vector<TextColumn>& columns, std::size_t width);
/// The lines, without blanks at their ends.
[[nodiscard]] std::string joined(const std::vector<TextColumn>& columns);

}  // namespace mimus::results
