// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "base/quantity_text.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "base/decimal_text.hpp"

namespace mimus {
namespace {

struct Unit {
  std::string_view name;
  double factor;
};

constexpr std::array kDuration{Unit{"ns", 1e-9},  Unit{"us", 1e-6},  Unit{"ms", 1e-3},
                               Unit{"s", 1.0},    Unit{"min", 60.0}, Unit{"h", 3600.0},
                               Unit{"d", 86400.0}};
constexpr std::array kByte{Unit{"B", 1.0},   Unit{"kB", 1e3},  Unit{"MB", 1e6},
                           Unit{"GB", 1e9},  Unit{"TB", 1e12}, Unit{"KiB", kKi},
                           Unit{"MiB", kMi}, Unit{"GiB", kGi}, Unit{"TiB", kGi* kKi}};
constexpr std::array kByteRate{Unit{"B/s", 1.0},          Unit{"kB/s", 1e3},
                               Unit{"MB/s", 1e6},         Unit{"GB/s", 1e9},
                               Unit{"TB/s", 1e12},        Unit{"MiB/s", kMi},
                               Unit{"GiB/s", kGi},        Unit{"Mbit/s", 1e6 / 8.0},
                               Unit{"Gbit/s", 1e9 / 8.0}, Unit{"Tbit/s", 1e12 / 8.0}};
constexpr std::array kFlopRate{Unit{"GFLOP/s", 1e9}, Unit{"TFLOP/s", 1e12}, Unit{"PFLOP/s", 1e15}};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Length of the number at the front of `text`, or 0. "010" is refused because it is octal in YAML
/// 1.1.
std::size_t number_length(std::string_view text) {
  std::size_t i = (!text.empty() && text[0] == '-') ? 1 : 0;
  const std::size_t first = i;
  while (i < text.size() && is_digit(text[i])) ++i;
  if (i == first) return 0;
  if (text[first] == '0' && i - first > 1) return 0;
  if (i + 1 < text.size() && text[i] == '.' && is_digit(text[i + 1])) {
    ++i;
    while (i < text.size() && is_digit(text[i])) ++i;
  }
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    std::size_t exponent = i + 1;
    if (exponent < text.size() && (text[exponent] == '-' || text[exponent] == '+')) ++exponent;
    const std::size_t digits = exponent;
    while (exponent < text.size() && is_digit(text[exponent])) ++exponent;
    if (exponent > digits) i = exponent;
  }
  return i;
}

struct NumberAndUnit {
  std::string_view number, unit;
};

/// The number is empty if the text does not begin with one.
NumberAndUnit split_quantity(std::string_view text) {
  const std::size_t length = number_length(text);
  std::string_view unit = text.substr(length);
  if (!unit.empty() && unit.front() == ' ') unit.remove_prefix(1);
  return {text.substr(0, length), unit};
}

std::optional<double> parse_quantity(std::string_view text, std::span<const Unit> units) {
  const auto [digits, unit] = split_quantity(text);
  const auto number = parse_number(digits);
  for (const Unit& candidate : units) {
    if (number && unit == candidate.name) return *number * candidate.factor;
  }
  return std::nullopt;
}

/// Exact for decimals whose unit is ns, us, ms or s: a double would round from 104 days on.
std::optional<Duration> exact_duration(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, int>, 4> kPlaces{
      {{"ns", 0}, {"us", 3}, {"ms", 6}, {"s", 9}}};
  const auto [digits, unit] = split_quantity(text);
  for (const auto& [name, places] : kPlaces) {
    if (unit != name) continue;
    const auto nanoseconds = parse_decimal(digits, places);
    return nanoseconds ? std::optional<Duration>(*nanoseconds) : std::nullopt;
  }
  return std::nullopt;
}

template <class Q>
std::optional<Q> as_quantity(std::string_view text, std::span<const Unit> units) {
  const auto value = parse_quantity(text, units);
  return value ? std::optional<Q>(Q{*value}) : std::nullopt;
}

}  // namespace

std::optional<std::int64_t> parse_integer(std::string_view text) {
  const std::size_t length = number_length(text);
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  if (length != text.size() || result.ec != std::errc{} || result.ptr != end) return std::nullopt;
  return value;
}

std::optional<double> parse_number(std::string_view text) {
  if (text.empty() || number_length(text) != text.size()) return std::nullopt;
  double value = 0.0;
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  if (result.ec != std::errc{} || result.ptr != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<Duration> parse_duration(std::string_view text) {
  const auto seconds = parse_quantity(text, kDuration);
  if (!seconds || std::abs(*seconds) > 9.0e9) return std::nullopt;
  return exact_duration(text).value_or(from_seconds(*seconds));
}

std::optional<Bytes> parse_bytes(std::string_view text) {
  return as_quantity<Bytes>(text, kByte);
}

std::optional<BytesPerSecond> parse_byte_rate(std::string_view text) {
  return as_quantity<BytesPerSecond>(text, kByteRate);
}

std::optional<FlopPerSecond> parse_flop_rate(std::string_view text) {
  return as_quantity<FlopPerSecond>(text, kFlopRate);
}

std::string format_duration(Duration d) {
  const double s = to_seconds(d);
  const double magnitude = std::abs(s);
  if (magnitude >= 86400.0 * 2) return fmt::format("{:.3g} d", s / 86400.0);
  if (magnitude >= 7200.0) return fmt::format("{:.3g} h", s / 3600.0);
  if (magnitude >= 120.0) return fmt::format("{:.3g} min", s / 60.0);
  if (magnitude >= 1.0 || magnitude == 0.0) return fmt::format("{:.3g} s", s);
  if (magnitude >= 1e-3) return fmt::format("{:.3g} ms", s * 1e3);
  if (magnitude >= 1e-6) return fmt::format("{:.3g} us", s * 1e6);
  return fmt::format("{:.3g} ns", s * 1e9);
}

std::string format_bytes(Bytes b) {
  constexpr std::array kSteps{Unit{"TB", 1e12}, Unit{"GB", 1e9}, Unit{"MB", 1e6}, Unit{"kB", 1e3}};
  for (const Unit& unit : kSteps) {
    if (std::abs(b.value) >= unit.factor) {
      return fmt::format("{:.3g} {}", b.value / unit.factor, unit.name);
    }
  }
  return fmt::format("{:.3g} B", b.value);
}

}  // namespace mimus
