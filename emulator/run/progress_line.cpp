// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/run/progress_line.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/quantity_text.hpp"

namespace mimus::emulator {

ProgressLine::ProgressLine(std::string title, std::string time_scale, bool quiet)
    : title_(std::move(title)), time_scale_(std::move(time_scale)), line_(quiet) {}

void ProgressLine::show(const RunProgress& progress) {
  if (line_.due()) line_.show(text(progress, line_.elapsed()));
}

std::string ProgressLine::text(const RunProgress& progress, Duration elapsed) const {
  std::string left = "?";
  if (progress.jobs_ended > 0 && progress.jobs) {  // extrapolated from the jobs that have ended
    const double rest = static_cast<double>(*progress.jobs - progress.jobs_ended) /
                        static_cast<double>(progress.jobs_ended);
    left = format_duration(scale(elapsed, rest));
  }
  const std::string all = progress.jobs ? fmt::format("/{}", *progress.jobs) : std::string();
  const double rate =
      static_cast<double>(progress.jobs_ended) / std::max(to_seconds(elapsed), 1e-3);
  const std::string pace = time_scale_.empty() ? fmt::format("{:.0f} jobs/s", rate) : time_scale_;
  return fmt::format(
      "{}: {} emulated ({}), {}{} jobs ended, {} running, {} queued, {}/{} GPUs "
      "busy, about {} left",
      title_, format_duration(progress.now.time_since_epoch()), pace, progress.jobs_ended, all,
      progress.jobs_running, progress.jobs_queued, progress.gpus_held, progress.gpus, left);
}

}  // namespace mimus::emulator
