// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "base/value_domain.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace mimus {
namespace {

using Type = ValueSpec::Type;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Step {
  double factor;
  const char* unit;
};

/// The value in the largest unit of which it is a whole number, or else in the smallest unit.
template <std::size_t N>
std::string in_units(double value, const std::array<Step, N>& largest_first) {
  for (const Step& step : largest_first) {
    const double count = value / step.factor;
    if (count >= 1.0 && count == std::floor(count)) return fmt::format("{} {}", count, step.unit);
  }
  return fmt::format("{} {}", value / largest_first.back().factor, largest_first.back().unit);
}

/// The text of a limit, which is in SI base units.
std::string limit_text(Type type, double value) {
  if (value == 0.0) return "0";
  switch (type) {
    case Type::duration:
      return value_text(from_seconds(value));
    case Type::memory:
      return value_text(Bytes{value});
    case Type::bandwidth:
      return value_text(BytesPerSecond{value});
    case Type::compute_rate:
      return value_text(FlopPerSecond{value});
    default:
      return value_text(value);
  }
}

std::string limits_text(Type type, Limits limits) {
  std::vector<std::string> parts;
  if (limits.min == kPositive.min) {
    parts.emplace_back("> 0");
  } else if (limits.min > -kInfinity) {
    parts.push_back(">= " + limit_text(type, limits.min));
  }
  if (limits.max < kInfinity) parts.push_back("<= " + limit_text(type, limits.max));
  return fmt::format("{}", fmt::join(parts, " and "));
}

std::string or_word(std::string type, const ValueSpec& spec) {
  return spec.words.empty() ? type : type + " or " + spec.words.front();
}

std::string single_text(const ValueSpec& spec) {
  switch (spec.type) {
    case Type::boolean:
      return "boolean";
    case Type::integer:
      return "integer";
    case Type::number:
      if (!spec.words.empty()) return or_word("number", spec);
      return spec.limits.min >= 0.0 && spec.limits.max <= 1.0 ? "fraction" : "number";
    case Type::text:
      return "text";
    case Type::path:
      return spec.form == ValueSpec::Form::single ? "text" : "path";
    case Type::extent:
      return "extent";
    case Type::layer:
      return "layer";
    case Type::script:
      return "script";
    case Type::anything:
      return "mapping";
    case Type::duration:
      return or_word("duration", spec);
    case Type::memory:
      return "memory";
    case Type::bandwidth:
      return "bandwidth";
    case Type::compute_rate:
      return "compute rate";
    case Type::choice:
      return "choice of " + spec.registry;
  }
  return "";
}

}  // namespace

std::string type_text(const ValueSpec& spec) {
  const std::string single = single_text(spec);
  switch (spec.form) {
    case ValueSpec::Form::single:
      return single;
    case ValueSpec::Form::mapping:
      return "mapping";
    case ValueSpec::Form::one_or_list:
      return single + " or list";
    case ValueSpec::Form::one_or_mapping:
      return single + " or mapping";
    case ValueSpec::Form::list:
      break;
  }
  const bool has_plural = spec.type != Type::text && spec.type != Type::memory;
  return "list of " + single + (has_plural ? "s" : "");
}

std::string range_text(const ValueSpec& spec) {
  if (!spec.beyond.empty()) return spec.beyond;
  if (spec.at_least_one) return "at least one";
  if (spec.type == Type::boolean) return "true, false";
  if (spec.type == Type::text && !spec.words.empty())
    return fmt::format("{}", fmt::join(spec.words, ", "));
  const Limits& limits = spec.limits;
  if (limits.min == limits.max) return limit_text(spec.type, limits.min);
  return limits_text(spec.type, limits);
}

std::string limits_text(Limits limits) {
  return limits_text(Type::number, limits);
}

std::string value_text(bool value) {
  return value ? "true" : "false";
}
std::string value_text(std::int64_t value) {
  return fmt::format("{}", value);
}
std::string value_text(double value) {
  const std::string exact = fmt::format("{}", value);
  const std::string brief = fmt::format("{:g}", value);
  return std::abs(value) >= 1e7 && std::stod(brief) == value ? brief : exact;
}

std::string value_text(Duration value) {
  constexpr std::array<std::pair<std::int64_t, const char*>, 5> kWhole{{{86'400'000'000'000, "d"},
                                                                        {3'600'000'000'000, "h"},
                                                                        {1'000'000'000, "s"},
                                                                        {1'000'000, "ms"},
                                                                        {1'000, "us"}}};
  const std::int64_t count = value.count();
  if (count == 0) return "0 s";
  const bool decimals = count > 1'000'000'000 && count % 1'000'000'000 != 0;
  if (decimals && count % 1'000'000 == 0) return fmt::format("{} s", to_seconds(value));
  for (const auto& [unit, name] : kWhole) {
    if (count % unit == 0) return fmt::format("{} {}", count / unit, name);
  }
  return fmt::format("{} ns", count);
}

std::string value_text(Bytes value) {
  constexpr std::array<Step, 5> kSteps{
      {{kGi, "GiB"}, {1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}, {1.0, "B"}}};
  return in_units(value.value, kSteps);
}
std::string value_text(BytesPerSecond value) {
  constexpr std::array<Step, 4> kSteps{{{1e9, "GB/s"}, {1e6, "MB/s"}, {1e3, "kB/s"}, {1.0, "B/s"}}};
  return in_units(value.value, kSteps);
}
std::string value_text(FlopPerSecond value) {
  constexpr std::array<Step, 2> kSteps{{{1e12, "TFLOP/s"}, {1e9, "GFLOP/s"}}};
  return in_units(value.value, kSteps);
}

std::size_t read_word(const ConfigNode& node, const std::string& path,
                      const std::vector<std::string>& words) {
  const auto word = read_scalar<std::string>(node, path);
  const auto found = std::find(words.begin(), words.end(), word);
  if (found == words.end()) {
    throw ConfigError(node.where, path, unknown_name_message("value", word, words));
  }
  return static_cast<std::size_t>(found - words.begin());
}

void refuse_twice(const ConfigNode& list, const std::string& path) {
  for (auto item = list.items.begin(); item != list.items.end(); ++item) {
    const auto same = [&](const ConfigNode& earlier) { return earlier.scalar == item->scalar; };
    if (std::none_of(list.items.begin(), item, same)) continue;
    throw ConfigError(list.where, path, fmt::format("names \"{}\" twice", item->scalar));
  }
}

std::string list_text(const std::vector<std::string>& items) {
  return fmt::format("[{}]", fmt::join(items, ", "));
}

}  // namespace mimus
