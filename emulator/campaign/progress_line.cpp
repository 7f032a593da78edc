// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/progress_line.hpp"

#include <cstdio>
#include <cstdlib>
#include <unistd.h>

#include <fmt/format.h>

#include "base/quantity_text.hpp"

namespace mimus::emulator {
namespace {

/// Under mpirun stderr is a pipe; a launch of our own says whether a terminal is at its end.
bool on_terminal() {
  return ::isatty(STDERR_FILENO) != 0 || std::getenv("MIMUS_TERMINAL") != nullptr;
}

}  // namespace

ProgressLine::ProgressLine(std::string title, double time_scale, bool quiet)
    : title_(std::move(title)),
      time_scale_(time_scale),
      quiet_(quiet),
      terminal_(on_terminal()),
      begun_(wall_now()) {
  if (!terminal_) last_ = begun_;
}

ProgressLine::~ProgressLine() {
  if (drawn_ && terminal_) fmt::print(stderr, "\r\033[K");
}

void ProgressLine::show(const RunProgress& progress) {
  const Duration interval = terminal_ ? std::chrono::milliseconds{250} : std::chrono::seconds{10};
  const WallInstant now = wall_now();
  if (quiet_ || now - last_ < interval) return;
  last_ = now;
  drawn_ = true;
  const std::string line = text(progress, now - begun_);
  if (terminal_) {
    fmt::print(stderr, "\r\033[K{}", line);
  } else {
    fmt::print(stderr, "{}\n", line);
  }
  std::fflush(stderr);
}

std::string ProgressLine::text(const RunProgress& progress, Duration elapsed) const {
  std::string left = "?";
  if (progress.jobs_ended > 0 && progress.jobs) {  // jobs left at the pace of those that have ended
    const double rest = static_cast<double>(*progress.jobs - progress.jobs_ended) /
                        static_cast<double>(progress.jobs_ended);
    left = format_duration(scale(elapsed, rest));
  }
  const std::string all = progress.jobs ? fmt::format("/{}", *progress.jobs) : std::string();
  const double rate =
      static_cast<double>(progress.jobs_ended) / std::max(to_seconds(elapsed), 1e-3);
  const std::string pace =
      time_scale_ > 0.0 ? fmt::format("x{:g}", time_scale_) : fmt::format("{:.0f} jobs/s", rate);
  return fmt::format(
      "{}: {} emulated ({}), {}{} jobs ended, {} running, {} queued, {}/{} GPUs "
      "busy, about {} left",
      title_, format_duration(progress.now.time_since_epoch()), pace, progress.jobs_ended, all,
      progress.jobs_running, progress.jobs_queued, progress.gpus_held, progress.gpus, left);
}

}  // namespace mimus::emulator
