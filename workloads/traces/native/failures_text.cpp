// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Planned failures as text.
#include <algorithm>

#include <fmt/format.h>

#include "base/quantity_text.hpp"
#include "workloads/traces/native/native_row.hpp"

namespace mimus::workloads {
namespace {

/// Cuts `text` at the first `separator` that is not escaped by a backslash. Returns the part before
/// it with the escapes resolved.
std::string take_until(std::string_view& text, char separator) {
  std::string piece;
  std::size_t i = 0;
  for (; i < text.size() && text[i] != separator; ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) ++i;
    piece += text[i];
  }
  text.remove_prefix(std::min(i + 1, text.size()));
  return piece;
}

/// When a failure strikes: a share of the work, or a time; an asterisk before it says that it
/// recurs.
std::optional<FailurePlan::Failure> parse_strike(std::string_view text) {
  FailurePlan::Failure failure;
  failure.recurs = text.starts_with('*');
  if (failure.recurs) text.remove_prefix(1);
  const bool is_time = text.ends_with('s');
  if (is_time) text.remove_suffix(1);
  const auto value = parse_number(text);
  if (!value || *value < 0.0) return std::nullopt;
  if (!is_time) {
    failure.at_progress = *value;
    return *value <= 1.0 ? std::optional(failure) : std::nullopt;
  }
  failure.after = from_seconds(*value);
  return failure.after > Duration{} ? std::optional(failure) : std::nullopt;
}

}  // namespace

std::string failures_text(const FailurePlan& plan) {
  std::string text;
  for (const auto& failure : plan.failures) {
    if (!text.empty()) text += ';';
    if (failure.recurs) text += '*';
    text += failure.after > Duration{} ? fmt::format("{}s:", to_seconds(failure.after))
                                       : fmt::format("{}:", failure.at_progress);
    for (const char c : failure.reason) {
      if (c == ':' || c == ';' || c == '\\') text += '\\';
      text += c;
    }
  }
  return text;
}

std::optional<FailurePlan> parse_failures(std::string_view text) {
  FailurePlan plan;
  while (!text.empty()) {
    const auto colon = text.find(':');
    if (colon == std::string_view::npos) return std::nullopt;
    auto failure = parse_strike(text.substr(0, colon));
    if (!failure) return std::nullopt;
    text.remove_prefix(colon + 1);
    failure->reason = take_until(text, ';');
    plan.failures.push_back(std::move(*failure));
  }
  return plan;
}

}  // namespace mimus::workloads
