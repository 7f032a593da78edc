// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/csv.hpp"

#include <gtest/gtest.h>

#include "tests/unit/workloads/support.hpp"

namespace mimus::workloads {
namespace {

CsvTable table(std::string_view text) {
  return {text, "t.csv", {"a", "b"}};
}

TEST(Csv, FindsColumnsByNameInAnyOrder) {
  const CsvTable read = table("b,x,a\n1,2,3\n4,5,6\n");
  ASSERT_EQ(read.rows(), 2U);
  EXPECT_EQ(read.row(0).get<std::int64_t>("a"), 3);
  EXPECT_EQ(read.row(1).get<std::int64_t>("b"), 4);
}

TEST(Csv, AcceptsCrLfAndAMissingLastLineBreak) {
  const CsvTable read = table("a,b\r\n1,2\r\n3,4");
  ASSERT_EQ(read.rows(), 2U);
  EXPECT_EQ(read.row(1).get<std::int64_t>("b"), 4);
}

TEST(Csv, SkipsAByteOrderMark) {
  EXPECT_EQ(table("\xEF\xBB\xBF"
                  "a,b\n1,2\n")
                .row(0)
                .get<std::int64_t>("a"),
            1);
}

TEST(Csv, UnquotesFieldsWithCommasQuotesAndLineBreaks) {
  const CsvTable read = table("a,b\n\"x,\"\"y\"\"\nz\",2\n");
  EXPECT_EQ(read.row(0).get<std::string>("a"), "x,\"y\"\nz");
  EXPECT_EQ(read.row(0).get<std::int64_t>("b"), 2);
}

TEST(Csv, KeepsCountingLinesInsideQuotedFields) {
  const CsvTable read = table("a,b\n\"x\ny\",2\n3,4\n");
  EXPECT_EQ(read.row(1).where("b").str(), "t.csv:4:3");
}

TEST(Csv, KeepsEmptyFields) {
  const CsvTable read = table("a,b\n,\n");
  EXPECT_EQ(read.row(0).get<std::string>("a"), "");
  EXPECT_EQ(read.row(0).get<std::string>("b"), "");
}

TEST(Csv, OfAHeaderOnlyHasNoRows) {
  EXPECT_EQ(table("a,b\n").rows(), 0U);
}

TEST(Csv, RowsFailAtTheField) {
  const CsvTable read = table("a,b\n1,2\n");
  EXPECT_EQ(test::message_of([&] { read.row(0).fail("b", "is not liked"); }),
            "t.csv:2:3: b: is not liked");
}

struct BadTable {
  std::string_view text;
  const char* message;
};

void PrintTo(const BadTable& bad, std::ostream* out) {
  *out << bad.message;
}

class BadTables : public testing::TestWithParam<BadTable> {};

/// Reads column a as text and column b as a positive integer, as an importer would.
void import(std::string_view text) {
  const CsvTable read = table(text);
  for (std::size_t i = 0; i < read.rows(); ++i) {
    (void)read.row(i).get<std::string>("a");
    (void)read.row(i).get<std::int64_t>("b", kAtLeastOne);
  }
}

TEST_P(BadTables, AreRefusedWithPlaceAndReason) {
  EXPECT_EQ(test::message_of([] { import(GetParam().text); }), GetParam().message);
}

using std::string_view_literals::operator""sv;

INSTANTIATE_TEST_SUITE_P(
    All, BadTables,
    testing::Values(
        BadTable{"", "t.csv:1:1: is empty; expected a header line with the columns a, b"},
        BadTable{"\xEF\xBB\xBF",
                 "t.csv:1:1: is empty; expected a header line with the columns a, b"},
        BadTable{"\na,b\n", "t.csv:1:1: empty line; delete it"},
        BadTable{"a,b\n\n1,2\n", "t.csv:2:1: empty line; delete it"},
        BadTable{"a,b\n1,2\n\n", "t.csv:3:1: empty line; delete it"},
        BadTable{"a,c\n", "t.csv:1:1: missing column \"b\"; the header has a, c"},
        BadTable{"a;b\n", "t.csv:1:1: missing column \"a\"; the header has a;b"},
        BadTable{"A,b\n", "t.csv:1:1: missing column \"a\"; the header has A, b"},
        BadTable{"a, b\n", "t.csv:1:1: missing column \"b\"; the header has a,  b"},
        BadTable{"a,b,a\n", "t.csv:1:5: duplicate column \"a\""},
        BadTable{"a,,b\n", "t.csv:1:3: column without a name"},
        BadTable{"a,b\n1\n", "t.csv:2:1: the line has 1 fields where the header has 2"},
        BadTable{"a,b\n1,2\n1,2,3\n", "t.csv:3:1: the line has 3 fields where the header has 2"},
        BadTable{"a,b\n1,x\n", "t.csv:2:3: b: expected an integer >= 1, got \"x\""},
        BadTable{"a,b\n1,\n", "t.csv:2:3: b: expected an integer >= 1, got \"\""},
        BadTable{"a,b\n1,0\n", "t.csv:2:3: b: expected an integer >= 1, got \"0\""},
        BadTable{"a,b\n1, 2\n", "t.csv:2:3: b: expected an integer >= 1, got \" 2\""},
        BadTable{"a,b\n1,2.0\n", "t.csv:2:3: b: expected an integer >= 1, got \"2.0\""},
        BadTable{"a,b\n1,0x2\n", "t.csv:2:3: b: expected an integer >= 1, got \"0x2\""},
        BadTable{"a,b\n1,nan\n", "t.csv:2:3: b: expected an integer >= 1, got \"nan\""},
        BadTable{"a,b\n1,99999999999999999999\n",
                 "t.csv:2:3: b: expected an integer >= 1, got \"99999999999999999999\""},
        BadTable{"a,b\n\"1,2\n", "t.csv:2:1: quoted field is not closed"},
        BadTable{"a,b\n\"1\"x,2\n",
                 "t.csv:2:4: text after a closing quote; expected a comma or the line's end"},
        BadTable{"a,b\n1\"x,2\n",
                 "t.csv:2:2: quote inside an unquoted field; quote the whole field"},
        BadTable{"a,b\r1,2\r",
                 "t.csv:1:4: carriage return without line feed; save with LF or CRLF lines"},
        BadTable{"a,b\n1\0,2\n"sv, "t.csv:2:2: NUL byte; the file is not text"},
        BadTable{"a,b\n\"1\0\",2\n"sv, "t.csv:2:3: NUL byte; the file is not text"}));

}  // namespace
}  // namespace mimus::workloads
