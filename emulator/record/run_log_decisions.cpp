// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// What is written down of decisions.
#include <variant>

#include <fmt/format.h>

#include "base/log.hpp"
#include "base/quantity_text.hpp"
#include "emulator/record/decision_row.hpp"
#include "emulator/record/run_log.hpp"

namespace mimus::emulator {

void RunLog::decided(const scheduler::Decision& decision, const scheduler::Scheduler& scheduler,
                     Duration latency, Instant at) {
  record_waits(decision, scheduler, at);
  if (!decision.refused_plan.empty()) plan_refused(decision.refused_plan, at);
  for (const auto& change : decision.power) nodes_.changed(change, at);
  for (const auto& [node, begins] : decision.quarantine) {
    nodes_.quarantined(node, begins, at);
    event(begins ? "node_quarantined" : "node_released", at, -1, -1,
          fmt::format("node {}", node.value()));
  }
  gpus_.decided(scheduler.queued(), scheduler.cluster(), at);
  if (allocation_) allocation_->decided(at);
  recorder_.add(decision_row(decision, latency, at, scheduler.queued(), running_.size()));
}

void RunLog::plan_refused(const std::string& why, Instant at) {
  event("plan_refused", at, -1, -1, why);
  if (++refused_plans_ > 1) return;
  log::warn(
      "the plan of {} is refused, and running jobs continue: {}; later refusals are only recorded "
      "in the table events (plan_refused)",
      format_duration(at.time_since_epoch()), why);
}

/// Recording every single wait would cost the length of the queue per decision. The scheduler keeps
/// the total waits of a job by cause, and they are read when a wait ends.
void RunLog::record_waits(const scheduler::Decision& decision,
                          const scheduler::Scheduler& scheduler, Instant at) {
  if (keeps_events_) {
    for (const JobId job : scheduler.queue()) jobs_.waits(job, scheduler.job(job).waits_for, at);
    return;
  }
  for (const scheduler::Action& action : decision.actions) {
    const auto* start = std::get_if<scheduler::StartAttempt>(&action);
    if (start != nullptr) jobs_.waited(start->job, scheduler.job(start->job).waited);
  }
}

}  // namespace mimus::emulator
