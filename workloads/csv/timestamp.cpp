// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/csv/timestamp.hpp"

#include <cstdlib>

#include "base/decimal_text.hpp"

namespace mimus::workloads {
namespace {

constexpr std::size_t kFractionDigits = 9;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Reads tokens from the front of a text and removes them.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  [[nodiscard]] bool done() const { return rest_.empty(); }
  bool take(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  /// A number of exactly `digits` digits.
  std::optional<int> number(std::size_t digits) {
    if (rest_.size() < digits) return std::nullopt;
    int value = 0;
    for (const char c : rest_.substr(0, digits)) {
      if (!is_digit(c)) return std::nullopt;
      value = value * 10 + (c - '0');
    }
    rest_.remove_prefix(digits);
    return value;
  }
  /// The digits after a decimal point, in nanoseconds.
  std::optional<std::int64_t> fraction() {
    std::int64_t value = 0;
    std::size_t digits = 0;
    for (; digits < rest_.size() && is_digit(rest_[digits]); ++digits) {
      if (digits == kFractionDigits) return std::nullopt;
      value = value * 10 + (rest_[digits] - '0');
    }
    rest_.remove_prefix(digits);
    if (digits == 0) return std::nullopt;
    for (; digits < kFractionDigits; ++digits) value *= 10;
    return value;
  }

 private:
  std::string_view rest_;
};

std::optional<Duration> date(Scanner& scan) {
  const auto year = scan.number(4);
  if (!year || !scan.take('-')) return std::nullopt;
  const auto month = scan.number(2);
  if (!month || !scan.take('-')) return std::nullopt;
  const auto day = scan.number(2);
  if (!day || *year < 1970 || *year > 2099) return std::nullopt;
  const std::chrono::year_month_day ymd{std::chrono::year{*year},
                                        std::chrono::month{static_cast<unsigned>(*month)},
                                        std::chrono::day{static_cast<unsigned>(*day)}};
  if (!ymd.ok()) return std::nullopt;
  return std::chrono::sys_days{ymd}.time_since_epoch();
}

std::optional<Duration> time_of_day(Scanner& scan) {
  const auto hour = scan.number(2);
  if (!hour || *hour > 23 || !scan.take(':')) return std::nullopt;
  const auto minute = scan.number(2);
  if (!minute || *minute > 59 || !scan.take(':')) return std::nullopt;
  const auto second = scan.number(2);
  if (!second || *second > 59) return std::nullopt;
  Duration time = std::chrono::hours(*hour) + std::chrono::minutes(*minute);
  time += std::chrono::seconds(*second);
  if (!scan.take('.')) return time;
  const auto fraction = scan.fraction();
  if (!fraction) return std::nullopt;
  return time + Duration{*fraction};
}

/// The offset from UTC, positive east of Greenwich.
std::optional<Duration> offset(Scanner& scan) {
  if (scan.done()) return Duration{};
  (void)scan.take(' ');
  if (scan.take('Z') || (scan.take('U') && scan.take('T') && scan.take('C'))) return Duration{};
  const bool east = scan.take('+');
  if (!east && !scan.take('-')) return std::nullopt;
  const auto hours = scan.number(2);
  if (!hours || *hours > 14) return std::nullopt;
  (void)scan.take(':');
  const auto minutes = scan.number(2);
  if (!minutes || *minutes > 59) return std::nullopt;
  const Duration size = std::chrono::hours(*hours) + std::chrono::minutes(*minutes);
  return east ? size : -size;
}

}  // namespace

std::optional<Duration> parse_seconds(std::string_view text) {
  constexpr std::int64_t kMost = 9'200'000'000'000'000'000;
  const auto nanoseconds = parse_decimal(text, kFractionDigits);
  if (!nanoseconds || *nanoseconds >= kMost || *nanoseconds <= -kMost) return std::nullopt;
  return Duration{*nanoseconds};
}

std::string format_seconds(Duration d) {
  constexpr std::int64_t kGiga = 1'000'000'000;
  std::string text = d.count() < 0 ? "-" : "";
  text += std::to_string(std::abs(d.count() / kGiga));
  std::int64_t fraction = std::abs(d.count() % kGiga);
  if (fraction != 0) text += '.';
  for (std::int64_t unit = kGiga / 10; fraction != 0; unit /= 10) {
    text += static_cast<char>('0' + fraction / unit);
    fraction %= unit;
  }
  return text;
}

std::optional<Timestamp> read_timestamp(std::string_view text) {
  Scanner scan(text);
  const auto day = date(scan);
  if (!day || !(scan.take(' ') || scan.take('T'))) return std::nullopt;
  const auto time = time_of_day(scan);
  if (!time) return std::nullopt;
  const bool has_offset = !scan.done();
  const auto east = offset(scan);
  if (!east || !scan.done()) return std::nullopt;
  return Timestamp{*day + *time - *east, has_offset};
}

std::optional<Duration> parse_timestamp(std::string_view text) {
  const auto read = read_timestamp(text);
  return read ? std::optional(read->time) : std::nullopt;
}

}  // namespace mimus::workloads
