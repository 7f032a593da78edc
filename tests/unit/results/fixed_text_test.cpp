// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/schema/fixed_text.hpp"

#include <array>

#include <gtest/gtest.h>

namespace mimus::results {
namespace {

std::string through_file(std::string_view text, std::size_t width) {
  std::array<std::byte, 16> bytes{};
  encode_text(text, bytes.data(), width);
  return decode_text(bytes.data(), width);
}

TEST(FixedText, KeepsTextThatFits) {
  EXPECT_EQ(through_file("bert", 8), "bert");
  EXPECT_EQ(through_file("", 8), "");
}

TEST(FixedText, KeepsTextOfExactlyTheWidth) {
  std::array<std::byte, 4> bytes{};
  EXPECT_FALSE(encode_text("bert", bytes.data(), 4));
  EXPECT_EQ(decode_text(bytes.data(), 4), "bert");
}

TEST(FixedText, CutsTextThatIsTooLongAndSaysSo) {
  std::array<std::byte, 4> bytes{};
  EXPECT_TRUE(encode_text("resnet50", bytes.data(), 4));
  EXPECT_EQ(decode_text(bytes.data(), 4), "resn");
}

TEST(FixedText, NeverSplitsAUtf8Character) {
  // "aéé" is 61 C3A9 C3A9: four bytes hold "aé" and half of the second é.
  EXPECT_EQ(through_file("a\xC3\xA9\xC3\xA9", 4), "a\xC3\xA9");
  // A four-byte character does not fit into three bytes.
  EXPECT_EQ(through_file("\xF0\x9F\x9A\x80", 3), "");
}

TEST(FixedText, OverwritesWhatWasThereBefore) {
  std::array<std::byte, 8> bytes{};
  bytes.fill(std::byte{'x'});
  encode_text("ab", bytes.data(), bytes.size());
  EXPECT_EQ(decode_text(bytes.data(), bytes.size()), "ab");
}

}  // namespace
}  // namespace mimus::results
