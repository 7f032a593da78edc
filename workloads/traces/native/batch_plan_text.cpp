// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traces/native/batch_plan_text.hpp"

#include <cmath>

#include <fmt/format.h>

#include "base/quantity_text.hpp"

namespace mimus::workloads {
namespace {

constexpr double kMostSamples = 1e9;

std::optional<PlannedBatch> parse_entry(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto epoch = parse_number(text.substr(0, colon));
  const auto batch = parse_number(text.substr(colon + 1));
  if (!epoch || !batch || *epoch < 0.0) return std::nullopt;
  if (*batch < 1.0 || *batch > kMostSamples || *batch != std::floor(*batch)) return std::nullopt;
  return PlannedBatch{*epoch, static_cast<std::int64_t>(*batch)};
}

}  // namespace

std::string batch_plan_text(const std::vector<PlannedBatch>& plan) {
  std::string text;
  for (const auto& [epoch, batch] : plan) {
    text += fmt::format("{}{}:{}", text.empty() ? "" : ";", epoch, batch);
  }
  return text;
}

std::optional<std::vector<PlannedBatch>> parse_batch_plan(std::string_view text) {
  std::vector<PlannedBatch> plan;
  while (true) {
    const std::size_t end = text.find(';');
    const auto entry = parse_entry(text.substr(0, end));
    if (!entry) return std::nullopt;
    plan.push_back(*entry);
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return is_ascending(plan) ? std::optional(std::move(plan)) : std::nullopt;
}

}  // namespace mimus::workloads
