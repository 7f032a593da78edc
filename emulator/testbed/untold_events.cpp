// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/testbed/untold_events.hpp"

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>

namespace mimus::emulator {

Instant UntoldEvents::round_end(Instant at) const {
  const auto round = round_.count();
  const auto time = at.time_since_epoch().count();
  if (at == kNever || time % round == 0) return at;
  return Instant{Duration{(time / round + 1) * round}};
}

Instant UntoldEvents::deadline(Instant due, Instant last) const {
  if (!has_rounds()) return due;
  const bool untold = !held_.empty() || !arrived_.empty();
  return round_end(untold ? std::min(due, last) : due);
}

void UntoldEvents::hear(scheduler::Event event, bool urgent) {
  (urgent || !has_rounds() ? due_ : held_).push_back(std::move(event));
}

void UntoldEvents::hear_of_node(scheduler::Event event) {
  node_changed_ = true;
  hear(std::move(event));
}

void UntoldEvents::tell_start_of(AttemptId attempt) {
  const auto start = std::ranges::find_if(held_, [&](const scheduler::Event& event) {
    const auto* started = std::get_if<scheduler::AttemptStarted>(&event);
    return started != nullptr && started->attempt == attempt;
  });
  if (start == held_.end()) return;
  due_.push_back(std::move(*start));
  held_.erase(start);
}

scheduler::JobArrived& UntoldEvents::arrive() {
  auto& events = has_rounds() ? arrived_ : due_;
  auto& event = events.emplace_back(std::in_place_type<scheduler::JobArrived>);
  return std::get<scheduler::JobArrived>(event);
}

void UntoldEvents::go_on(Instant now) {
  if (is_any_due() && node_changed_) tell_held(now);
}

void UntoldEvents::tell_held(Instant now) {
  std::move(held_.begin(), held_.end(), std::back_inserter(due_));
  held_.clear();
  charge_failed(now);
  failed_.clear();
  node_changed_ = false;
}

void UntoldEvents::tell_arrived(Instant now) {
  charge_arrived(now);
  std::move(arrived_.begin(), arrived_.end(), std::back_inserter(due_));
  arrived_.clear();
}

void UntoldEvents::charge(Instant now) {
  charge_failed(now);
  charge_arrived(now);
}

void UntoldEvents::charge_failed(Instant now) {
  if (!has_rounds()) return;
  for (const auto& [job, since] : failed_) log_.waited_for_round(job, since, now);
}

void UntoldEvents::charge_arrived(Instant now) {
  for (const scheduler::Event& arrival : arrived_) {
    const scheduler::JobView& job = std::get<scheduler::JobArrived>(arrival).job;
    log_.waited_for_round(job.id, job.arrival, now);
  }
}

bool UntoldEvents::is_routine() const {
  return std::all_of(due_.begin(), due_.end(), [](const scheduler::Event& event) {
    return std::holds_alternative<scheduler::ProgressReported>(event) ||
           std::holds_alternative<scheduler::AttemptStarted>(event);
  });
}

}  // namespace mimus::emulator
