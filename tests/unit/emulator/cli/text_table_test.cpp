// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/cli/text/text_table.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace mimus::emulator::cli {
namespace {

using Align = TextTable::Align;

TEST(TextTable, ColumnsAreAsWideAsTheirLongestText) {
  TextTable table({{"name"}, {"jobs", Align::right}});
  table.add_row({"a", "7"});
  table.add_row({"longer", "12345"});

  EXPECT_EQ(table.render(80),
            "name     jobs\n"
            "a           7\n"
            "longer  12345\n");
}

TEST(TextTable, LastColumnWrapsAtWords) {
  TextTable table({{"key"}, {"meaning"}});
  table.add_row({"abc", "one two three four five six seven"});

  // 3 + 2 columns are used, so 29 - 5 leaves 24 for the last column.
  EXPECT_EQ(table.render(29),
            "key  meaning\n"
            "abc  one two three four five\n"
            "     six seven\n");
}

TEST(TextTable, NarrowTerminalStillGivesTheLastColumnRoom) {
  TextTable table({{"key"}, {"meaning"}});
  table.add_row({"abc", "one two three four five six seven"});

  EXPECT_EQ(table.render(1), table.render(29));
}

TEST(TextTable, LinesHaveNoTrailingBlanks) {
  TextTable table({{"a"}, {"b"}});
  table.add_row({"x", ""});

  EXPECT_EQ(table.render(80), "a  b\nx\n");
}

TEST(TextTable, TableWithoutHeadersHasNoHeaderLine) {
  TextTable table({{""}, {""}});
  table.add_row({"x", "y"});

  EXPECT_EQ(table.render(80), "x  y\n");
}

TEST(TextTable, CharactersOfSeveralBytesCountOnce) {
  TextTable table({{"M\xE2\x82\x80", Align::right}, {"x"}});
  table.add_row({"128", "y"});

  EXPECT_EQ(table.render(80), " M\xE2\x82\x80  x\n128  y\n");
}

TEST(TextTable, RowWithTheWrongNumberOfCellsIsABug) {
  TextTable table({{"a"}, {"b"}});

  EXPECT_THROW(table.add_row({"only one"}), InternalError);
}

}  // namespace
}  // namespace mimus::emulator::cli
