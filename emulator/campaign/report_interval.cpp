// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/report_interval.hpp"

#include <algorithm>

#include "scheduler/planner/planner.hpp"
#include "scheduler/policy/policy.hpp"

namespace mimus::emulator {

std::optional<Duration> report_interval(const CellConfig& config) {
  if (config.engine.report_every) return config.engine.report_every;
  Duration interval = config.row->report_interval();
  const auto& planner = config.row->planner;
  const bool plans_by_progress = planner != nullptr && planner->reads_progress();
  if (plans_by_progress || config.workload->hears() == workloads::Hears::progress) {
    interval = std::min(interval, kReportEvery);
  }
  if (interval == Duration::max()) return std::nullopt;
  return interval > Duration::zero() ? std::min(kReportEvery, interval) : kReportEvery;
}

}  // namespace mimus::emulator
