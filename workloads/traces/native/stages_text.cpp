// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <array>

#include <fmt/format.h>

#include "base/quantity_text.hpp"
#include "workloads/csv/timestamp.hpp"
#include "workloads/traces/native/native_row.hpp"

namespace mimus::workloads {
namespace {

constexpr double kMaxStageSeconds = 86400.0;

}  // namespace

std::string stages_text(const StageTimes& stages) {
  return fmt::format("{}:{}:{}:{}", format_seconds(stages.input), format_seconds(stages.compute),
                     format_seconds(stages.network), format_seconds(stages.iteration));
}

std::optional<StageTimes> parse_stages(std::string_view text) {
  std::array<Duration, 4> times{};
  for (std::size_t i = 0; i < times.size(); ++i) {
    const auto colon = text.find(':');
    const bool is_last = i + 1 == times.size();
    if ((colon == std::string_view::npos) != is_last) return std::nullopt;
    const auto seconds = parse_number(text.substr(0, colon));
    if (!seconds || *seconds < 0.0 || *seconds > kMaxStageSeconds) return std::nullopt;
    times[i] = from_seconds(*seconds);
    if (!is_last) text.remove_prefix(colon + 1);
  }
  if (times[3] == Duration{}) return std::nullopt;
  return StageTimes{times[0], times[1], times[2], times[3]};
}

}  // namespace mimus::workloads
