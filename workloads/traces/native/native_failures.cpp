// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Failure plans as the native table writes them.
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

}  // namespace

std::string failures_text(const FailurePlan& plan) {
  std::string text;
  for (const auto& failure : plan.failures) {
    if (!text.empty()) text += ';';
    text += fmt::format("{}:", failure.at_progress);
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
    const auto at = parse_number(text.substr(0, colon));
    if (!at || *at < 0.0 || *at > 1.0) return std::nullopt;
    text.remove_prefix(colon + 1);
    plan.failures.push_back({*at, take_until(text, ';')});
  }
  return plan;
}

}  // namespace mimus::workloads
