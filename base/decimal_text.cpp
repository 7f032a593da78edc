// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "base/decimal_text.hpp"

#include <algorithm>
#include <charconv>
#include <string>

#include "base/error.hpp"

namespace mimus {
namespace {

constexpr int kMostPlaces = 18;

bool all_digits(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return '0' <= c && c <= '9'; });
}

}  // namespace

std::optional<std::int64_t> parse_decimal(std::string_view text, int places) {
  ensure(0 <= places && places <= kMostPlaces, "places of a decimal");
  const bool negative = !text.empty() && text.front() == '-';
  if (negative) text.remove_prefix(1);
  const std::size_t point = std::min(text.find('.'), text.size());
  const std::string_view whole = text.substr(0, point);
  const std::string_view fraction = text.substr(std::min(point + 1, text.size()));
  if (!all_digits(whole) || (whole.size() > 1 && whole.front() == '0')) return std::nullopt;
  if (point < text.size() && !all_digits(fraction)) return std::nullopt;
  if (fraction.size() > static_cast<std::size_t>(places)) return std::nullopt;
  std::string digits(negative ? "-" : "");
  digits += whole;
  digits += fraction;
  digits.append(static_cast<std::size_t>(places) - fraction.size(), '0');
  std::int64_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto result = std::from_chars(digits.data(), end, value);
  return result.ec == std::errc{} ? std::optional(value) : std::nullopt;
}

}  // namespace mimus
