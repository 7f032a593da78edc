// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/csv/csv_reader.hpp"

#include <gtest/gtest.h>

#include "tests/unit/workloads/support.hpp"

namespace mimus::workloads {
namespace {

CsvReader table(std::string_view text) {
  return {text, "t.csv", {"a", "b"}};
}

TEST(CsvReader, FindsColumnsByNameInAnyOrder) {
  CsvReader csv = table("b,x,a\n1,2,3\n4,5,6\n");
  ASSERT_TRUE(csv.next());
  EXPECT_EQ(csv.get<std::int64_t>("a"), 3);
  ASSERT_TRUE(csv.next());
  EXPECT_EQ(csv.get<std::int64_t>("b"), 4);
  EXPECT_FALSE(csv.next());
}

TEST(CsvReader, AcceptsCrLfAndAMissingLastLineBreak) {
  CsvReader csv = table("a,b\r\n1,2\r\n3,4");
  ASSERT_TRUE(csv.next());
  EXPECT_EQ(csv.get<std::int64_t>("b"), 2);
  ASSERT_TRUE(csv.next());
  EXPECT_EQ(csv.get<std::int64_t>("b"), 4);
}

TEST(CsvReader, SkipsAByteOrderMark) {
  CsvReader csv = table(
      "\xEF\xBB\xBF"
      "a,b\n1,2\n");
  ASSERT_TRUE(csv.next());
  EXPECT_EQ(csv.get<std::int64_t>("a"), 1);
}

TEST(CsvReader, TakesTextInUtf8) {
  CsvReader csv = table("a,b\nM\xC3\xBCller,2\n\"\xE6\x9D\x8E, \xF0\x9F\x98\x80\",4\n");
  ASSERT_TRUE(csv.next());
  EXPECT_EQ(csv.text(csv.column("a")), "M\xC3\xBCller");
  ASSERT_TRUE(csv.next());
  EXPECT_EQ(csv.text(csv.column("a")), "\xE6\x9D\x8E, \xF0\x9F\x98\x80");
  EXPECT_EQ(csv.get<std::int64_t>("b"), 4);
}

TEST(CsvReader, UnquotesFieldsWithCommasQuotesAndLineBreaks) {
  CsvReader csv = table("a,b\n\"x,\"\"y\"\"\nz\",2\n");
  ASSERT_TRUE(csv.next());
  EXPECT_EQ(csv.text(csv.column("a")), "x,\"y\"\nz");
  EXPECT_EQ(csv.get<std::int64_t>("b"), 2);
}

TEST(CsvReader, GivesViewsIntoTheTextItReads) {
  const std::string text = "a,b\nfirst,\"second\"\n";
  CsvReader csv = table(text);
  ASSERT_TRUE(csv.next());
  EXPECT_EQ(csv.text(csv.column("a")).data(), text.data() + 4);
  EXPECT_EQ(csv.text(csv.column("b")).data(), text.data() + 11);
}

TEST(CsvReader, KeepsCountingLinesInsideQuotedFields) {
  CsvReader csv = table("a,b\n\"x\ny\",2\n3,4\n");
  ASSERT_TRUE(csv.next());
  EXPECT_EQ(csv.where(csv.column("b")).str(), "t.csv:3:4");
  ASSERT_TRUE(csv.next());
  EXPECT_EQ(csv.where(csv.column("b")).str(), "t.csv:4:3");
  EXPECT_EQ(csv.line(), 4);
}

TEST(CsvReader, KeepsEmptyFields) {
  CsvReader csv = table("a,b\n,\n");
  ASSERT_TRUE(csv.next());
  EXPECT_TRUE(csv.blank(csv.column("a")));
  EXPECT_EQ(csv.get<std::string>("b"), "");
}

TEST(CsvReader, OfAHeaderOnlyHasNoRows) {
  EXPECT_FALSE(table("a,b\n").next());
}

TEST(CsvReader, FailsAtTheField) {
  CsvReader csv = table("a,b\n1,2\n");
  ASSERT_TRUE(csv.next());
  EXPECT_EQ(test::message_of([&] { csv.fail("b", "is not liked"); }), "t.csv:2:3: b: is not liked");
}

TEST(CsvReader, GoesOnAfterABadRow) {
  CsvReader csv = table("a,b\n1\n2,\"x\"y\n\n3,4\n");
  EXPECT_EQ(test::message_of([&] { (void)csv.next(); }),
            "t.csv:2:1: the line has 1 fields where the header has 2");
  EXPECT_EQ(test::message_of([&] { (void)csv.next(); }),
            "t.csv:3:6: text after a closing quote; expected a comma or the line's end");
  EXPECT_EQ(test::message_of([&] { (void)csv.next(); }), "t.csv:4:1: empty line; delete it");
  ASSERT_TRUE(csv.next());
  EXPECT_EQ(csv.get<std::int64_t>("b"), 4);
  EXPECT_FALSE(csv.next());
}

TEST(CsvReader, GoesOnInTheNextPieceOfAFile) {
  CsvReader csv = table("a,b\n1,2\n");
  ASSERT_TRUE(csv.next());
  ASSERT_FALSE(csv.next());
  csv.continue_with("3,x\n");
  ASSERT_TRUE(csv.next());
  EXPECT_EQ(csv.where(csv.column("b")).str(), "t.csv:3:3");
}

TEST(CsvReader, ReadsTablesWithoutHeaderAndWithTabs) {
  auto csv = CsvReader::without_header("x \"y\",z\t7\n", "t.tsv", {"a", "b"},
                                       {.delimiter = '\t', .quotes = false});
  ASSERT_TRUE(csv.next());
  EXPECT_EQ(csv.text(csv.column("a")), "x \"y\",z");
  EXPECT_EQ(csv.get<std::int64_t>("b"), 7);
}

TEST(CsvReader, ReadsSecondsExactly) {
  CsvReader csv = table("a,b\n1234567890.123456789,0.1\n-2,1e3\n");
  ASSERT_TRUE(csv.next());
  EXPECT_EQ(csv.seconds(csv.column("a")).count(), 1234567890123456789);
  EXPECT_EQ(csv.seconds(csv.column("b")).count(), 100000000);
  ASSERT_TRUE(csv.next());
  EXPECT_EQ(csv.seconds(csv.column("a")), std::chrono::seconds(-2));
  EXPECT_EQ(csv.seconds(csv.column("b")), std::chrono::seconds(1000));
}

TEST(CsvReader, RefusesSecondsOutsideTheLimits) {
  CsvReader csv = table("a,b\n-2,soon\n");
  ASSERT_TRUE(csv.next());
  EXPECT_EQ(test::message_of([&] { (void)csv.seconds(csv.column("a"), kNotNegative); }),
            "t.csv:2:1: a: expected a number >= 0, got \"-2\"");
  EXPECT_EQ(test::message_of([&] { (void)csv.seconds(csv.column("b"), kNotNegative); }),
            "t.csv:2:4: b: expected a number >= 0, got \"soon\"");
}

struct BadTable {
  std::string_view text;
  const char* message;
};

void PrintTo(const BadTable& bad, std::ostream* out) {
  *out << bad.message;
}

class BadTables : public testing::TestWithParam<BadTable> {};

/// Reads column a as text and column b as a positive integer, like an importer.
void import(std::string_view text) {
  CsvReader csv = table(text);
  while (csv.next()) {
    (void)csv.get<std::string>("a");
    (void)csv.get<std::int64_t>("b", kAtLeastOne);
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

class NoText : public testing::TestWithParam<BadTable> {};

TEST_P(NoText, IsRefused) {
  EXPECT_EQ(test::message_of([] { import(GetParam().text); }),
            std::string(GetParam().message) +
                ": is not valid UTF-8 text; save the file in that encoding, without control "
                "characters");
}

INSTANTIATE_TEST_SUITE_P(All, NoText,
                         testing::Values(BadTable{"a,b\nM\xFCller,2\n", "t.csv:2:2"},
                                         BadTable{"a,b\nx\x1b[2J,2\n", "t.csv:2:2"},
                                         BadTable{"a,b\n\"x\x7f\",2\n", "t.csv:2:3"},
                                         BadTable{"a,b\nx,2\n\"M\xFCller\",2\n", "t.csv:3:3"},
                                         BadTable{"\xFF\xFE"
                                                  "a,b\n",
                                                  "t.csv:1:1"},
                                         BadTable{"a,b\nx,2\n\xC3", "t.csv:3:1"}));

}  // namespace
}  // namespace mimus::workloads
