// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/totals/measured_window.hpp"

#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/quantity_text.hpp"

namespace mimus::results {

namespace {

/// The exact time in the largest unit that yields a whole number: "2h", "90s".
std::string exact_time(double seconds) {
  constexpr std::array<std::pair<double, const char*>, 3> kUnits{
      {{86400, "d"}, {3600, "h"}, {60, "min"}}};
  for (const auto& [length, unit] : kUnits) {
    const double count = seconds / length;
    if (count >= 1 && count == std::floor(count)) return fmt::format("{}{}", count, unit);
  }
  return fmt::format("{}s", seconds);
}

[[noreturn]] void refuse(const std::string& text, const std::string& why) {
  throw UsageError(
      fmt::format("--measure \"{}\": {}; give jobs=4000..5000 (by arrival, from 0, the end not "
                  "included), from=2h,until=20h, one bound alone, or all",
                  text, why));
}

double time_of(const std::string& text, std::string_view value) {
  const auto time = parse_duration(value);
  if (!time || *time < Duration{}) {
    refuse(text,
           fmt::format("\"{}\" is not a time with one of the units {}", value, kDurationUnits));
  }
  return to_seconds(*time);
}

void set_bound(const std::string& text, std::string_view part, MeasuredWindow& window) {
  const auto sign = part.find('=');
  const std::string_view key = part.substr(0, sign);
  const std::string_view value =
      sign == std::string_view::npos ? std::string_view() : part.substr(sign + 1);
  if (key == "jobs") {
    if (parse_job_range(value, window)) return;
    refuse(text, fmt::format("\"{}\" is not a range of jobs ({})", value, kJobRange));
  }
  if (key == "from") {
    window.from = time_of(text, value);
  } else if (key == "until") {
    window.until = time_of(text, value);
  } else {
    refuse(text, unknown_name_message("bound", key, {"jobs", "from", "until"}));
  }
}

}  // namespace

std::string MeasuredWindow::text() const {
  if (is_whole()) return "all";
  if (is_of_jobs()) {
    const std::string end = jobs_end < kNoJobsEnd ? fmt::format("{}", jobs_end) : "";
    return fmt::format("jobs={}..{}", first_job, end);
  }
  const std::string begin = from > 0 ? "from=" + exact_time(from) : "";
  const std::string end = until < kNoUntil ? "until=" + exact_time(until) : "";
  return begin + (begin.empty() || end.empty() ? "" : ",") + end;
}

bool parse_job_range(std::string_view text, MeasuredWindow& window) {
  const auto dots = text.find("..");
  if (dots == std::string_view::npos) return false;
  const std::string_view first = text.substr(0, dots);
  const std::string_view end = text.substr(dots + 2);
  if (first.empty() && end.empty()) return false;
  const auto begin = first.empty() ? std::optional<std::int64_t>(0) : parse_integer(first);
  const auto stop = end.empty() ? std::optional(MeasuredWindow::kNoJobsEnd) : parse_integer(end);
  if (!begin || !stop || *begin < 0 || *stop <= *begin) return false;
  window.first_job = *begin;
  window.jobs_end = *stop;
  return true;
}

MeasuredWindow parse_measured_window(const std::string& text) {
  MeasuredWindow window;
  if (text == "all") return window;
  bool of_jobs = false;
  bool of_time = false;
  for (std::string_view rest = text;;) {
    const auto comma = rest.find(',');
    const std::string_view part = rest.substr(0, comma);
    (part.starts_with("jobs") ? of_jobs : of_time) = true;
    set_bound(text, part, window);
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  if (of_jobs && of_time) refuse(text, "it has both a range of jobs and a span of time");
  if (window.until <= window.from) refuse(text, "it ends before it begins");
  return window;
}

}  // namespace mimus::results
