// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace mimus::results {

/// The part of a run that figures cover: jobs by their place in the order of arrival, as Gavel
/// (Narayanan et al., OSDI 2020) measures jobs k to n of a loaded cluster, or a span of emulated
/// time. Both are half-open. Without bounds it is the whole run.
struct MeasuredWindow {
  static constexpr std::int64_t kNoJobsEnd = std::numeric_limits<std::int64_t>::max();
  static constexpr double kNoUntil = std::numeric_limits<double>::infinity();

  std::int64_t first_job = 0;
  std::int64_t jobs_end = kNoJobsEnd;
  double from = 0;          ///< [s]
  double until = kNoUntil;  ///< [s]

  bool operator==(const MeasuredWindow&) const = default;
  [[nodiscard]] bool is_whole() const { return *this == MeasuredWindow{}; }
  [[nodiscard]] bool is_of_jobs() const { return first_job > 0 || jobs_end < kNoJobsEnd; }
  /// Whether a job is measured. A span of time contains the jobs that arrive in it.
  [[nodiscard]] bool measures(std::int64_t job, double arrival) const {
    return first_job <= job && job < jobs_end && from <= arrival && arrival < until;
  }
  /// As parse_measured_window() reads it, e.g. "jobs=4000..5000" or "from=2h,until=20h"; "all" for
  /// the whole run.
  [[nodiscard]] std::string text() const;
};

/// The syntax of `jobs`.
inline constexpr std::string_view kJobRange = "FIRST..END, FIRST.. or ..END";

/// Sets the jobs of `window` from "4000..5000", "4000.." or "..5000"; the end is not measured.
/// False if the text is something else or a range without jobs.
[[nodiscard]] bool parse_job_range(std::string_view text, MeasuredWindow& window);

/// "jobs=4000..5000", "from=2h,until=20h", either bound alone, or "all". Throws UsageError.
[[nodiscard]] MeasuredWindow parse_measured_window(const std::string& text);

}  // namespace mimus::results
