// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// How a gang waits between two steps: to write a checkpoint, or while others use its GPUs. It keeps
// its communicators, and of its memory what it is told.
#include "emulator/live/gang/checkpoint.hpp"
#include "emulator/live/gang/gang_attempt.hpp"

namespace mimus::emulator {

/// All members wait until the lead has written their state, paced to the node's storage.
void GangAttempt::save() {
  set_training(false);
  context_.device->idle_from(at_);
  if (leads_) tell_progress(windows_.take(at_, true));
  at_ = context_.caught_up(at_) + context_.cell.wall(state_bytes() / context_.cell.cluster.storage);
  at_ = agreed_begin();
  wait_if_cut_off();
  context_.set_stage(Stage::checkpoint);
  const double samples = progress_.samples_done();
  if (leads_) {
    write_checkpoint(context_.cell.checkpoint_dir,
                     {JobId{message_.job}, samples, state_bytes() / context_.cell.work_scale});
  }
  timeline_.interrupted();
  context_.device->busy_from(at_);
  set_training(true);
  wait_until(at_, Stage::checkpoint);
  if (leads_) {
    context_.tell(at_, SavedMessage{message_.attempt, context_.world_ns(at_), samples});
  }
}

/// Stops making steps on all members, and waits for a command beyond the `agreed` ones that all
/// members have.
std::optional<AttemptEnding> GangAttempt::suspend(scheduler::SuspendedMemory keeps,
                                                  std::int64_t agreed) {
  set_training(false);
  context_.device->idle_from(at_);
  const MemberWord own = word_after([&] { give_memory_back(keeps); });
  wait_if_cut_off();
  gang_.quiet_until(WallInstant::max());
  watch_.expect(context_.clock.now());
  if (const std::int64_t word = agree_on_minimum(own.word); word < 0) {
    return ending_after(word, own);
  }
  if (leads_) {
    tell_progress(windows_.take(at_, true));
    context_.tell(at_, SuspendedMessage{message_.attempt, context_.world_ns(at_)});
  }
  if (commands_.applied() < agreed) return std::nullopt;
  wait_for_command();
  const std::int64_t known = agree_on_minimum(commands_.last());
  if (known < 0) return ending_after(known);
  return std::nullopt;
}

void GangAttempt::give_memory_back(scheduler::SuspendedMemory keeps) {
  keeps_ = keeps;
  if (keeps == scheduler::SuspendedMemory::all) return;
  const bool keeps_state = keeps == scheduler::SuspendedMemory::state;
  if (!keeps_state) cross_host_link();
  context_.device->keep(keeps_state ? plan_.state : Bytes{});
  if (context_.device->runs_at_full_size()) go_to(context_.caught_up(at_));
}

std::optional<AttemptEnding> GangAttempt::take_memory_back() {
  const auto kept = std::exchange(keeps_, scheduler::SuspendedMemory::all);
  if (kept == scheduler::SuspendedMemory::all) return std::nullopt;
  if (auto ending = take_memory()) return ending;
  if (kept == scheduler::SuspendedMemory::nothing) cross_host_link();
  return std::nullopt;
}

/// Of the state. All members go on when the one with the most of it is done. Devices that run at
/// full size copy it themselves.
void GangAttempt::cross_host_link() {
  if (context_.device->runs_at_full_size()) return context_.set_stage(Stage::state_transfer);
  const Duration transfer = plan_.state / context_.cell.cluster.gpu_of(own_gpu()).host_link;
  at_ = context_.caught_up(at_) + context_.cell.wall(transfer);
  at_ = agreed_begin();
  wait_until(at_, Stage::state_transfer);
}

/// The clock does not wait for the member meanwhile. Rank 0 lets it wait again when it sends a
/// command to a gang that it knows to be suspended.
void GangAttempt::wait_for_command() {
  context_.clock.leave();
  try {
    watch_.wait_for_command();
  } catch (const AbandonedError&) {
    if (commands_.peek() != nullptr) take_up_command();  // or the clock would wait for that
    throw;
  }
  take_up_command();
}

void GangAttempt::take_up_command() {
  const std::int64_t at_ns = commands_.peek()->at_ns;
  const WallInstant at = at_ns == 0 ? context_.clock.now() : context_.local(at_ns);
  if (at_ns == 0) {
    context_.clock.promise(at);
  } else {
    context_.clock.take_up(at);
  }
  go_to(context_.caught_up(at));
}

std::optional<AttemptEnding> GangAttempt::resume() {
  timeline_.interrupted();
  if (auto ending = take_memory_back()) return ending;
  at_ = agreed_begin();
  wait_if_cut_off();
  context_.device->busy_from(at_);
  gang_.busy_from(at_);
  set_training(true);
  if (leads_) context_.tell(at_, ResumedMessage{message_.attempt, context_.world_ns(at_)});
  return std::nullopt;
}

}  // namespace mimus::emulator
