// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.hpp"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "base/config_tree.hpp"
#include "tests/unit/base/message_of.hpp"

namespace mimus {
namespace {

TEST(Utf8, CharactersOfAllLengthsAreText) {
  EXPECT_TRUE(is_utf8_text(""));
  EXPECT_TRUE(is_utf8_text("a\tZ"));
  EXPECT_TRUE(is_utf8_text("\xC2\xA0\xDF\xBF"));                  // U+00A0, U+07FF
  EXPECT_TRUE(is_utf8_text("\xE0\xA0\x80\xEF\xBF\xBD"));          // U+0800, U+FFFD
  EXPECT_TRUE(is_utf8_text("\xF0\x90\x80\x80\xF4\x8F\xBF\xBD"));  // U+10000, U+10FFFD
}

TEST(Utf8, WhatIsCutOrContinuesNothingIsNoText) {
  EXPECT_FALSE(is_utf8_text("\x80"));
  EXPECT_FALSE(is_utf8_text("a\xC3"));
  EXPECT_FALSE(is_utf8_text("\xE2\x82"));
  EXPECT_FALSE(is_utf8_text("\xC3\x28"));
  EXPECT_FALSE(is_utf8_text("\xF6\xF6"));
  EXPECT_FALSE(is_utf8_text("\xFF\xFE"));
}

TEST(Utf8, MoreBytesThanNeededAreNoText) {
  EXPECT_FALSE(is_utf8_text("\xC1\xBF"));
  EXPECT_FALSE(is_utf8_text("\xE0\x9F\xBF"));
  EXPECT_FALSE(is_utf8_text("\xF0\x8F\xBF\xBD"));
}

TEST(Utf8, CodePointsThatAreNoCharactersAreNoText) {
  EXPECT_FALSE(is_utf8_text("\xED\xA0\x80"));      // surrogate U+D800
  EXPECT_FALSE(is_utf8_text("\xEF\xB7\x90"));      // U+FDD0
  EXPECT_FALSE(is_utf8_text("\xEF\xBF\xBE"));      // U+FFFE
  EXPECT_FALSE(is_utf8_text("\xF4\x90\x80\x80"));  // U+110000
}

TEST(Utf8, ControlCharactersAreNoText) {
  EXPECT_TRUE(is_utf8_text("\t\r\n\xC2\x85"));
  EXPECT_FALSE(is_utf8_text(std::string_view("\0", 1)));
  EXPECT_FALSE(is_utf8_text("\x1B[31m"));
  EXPECT_FALSE(is_utf8_text("\x7F"));
  EXPECT_FALSE(is_utf8_text("\xC2\x80"));
}

TEST(Utf8, YamlKeysAreShort) {
  const std::string key(257, 'k');
  EXPECT_EQ(test::message_of([&] { (void)parse_yaml("? " + key + "\n: 1\n", "u.yaml"); }),
            "u.yaml:1:3: a key of 257 bytes; keys have at most 256, so that they can be written on "
            "one line");
}

TEST(Utf8, YamlOfOtherBytesIsRefusedWhereTheyAre) {
  constexpr const char* kSaid =
      "is not valid UTF-8 text; save the file in that encoding, without control characters";
  EXPECT_EQ(test::message_of([] { (void)parse_yaml("a: 1\nb: x\xF6y\n", "u.yaml"); }),
            std::string("u.yaml:2:4: b: ") + kSaid);
  EXPECT_EQ(test::message_of([] { (void)parse_yaml("a: \"\\uFFFF\"\n", "u.yaml"); }),
            std::string("u.yaml:1:4: a: ") + kSaid);
  EXPECT_EQ(test::message_of([] { (void)parse_yaml("\xF6: 1\n", "u.yaml"); }),
            std::string("u.yaml:1:1: ") + kSaid);
}

TEST(Printable, ShowsWhatIsNoTextByItsBytes) {
  EXPECT_EQ(printable("job \"\xC3\xBC\"\n"), "job \"\xC3\xBC\"\n");
  EXPECT_EQ(printable("\x1b[2Jx"), "\\x1b[2Jx");
  EXPECT_EQ(printable(std::string_view("\0\xFF\xC3", 3)), "\\x00\\xff\\xc3");
  EXPECT_EQ(printable(""), "");
}

}  // namespace
}  // namespace mimus
