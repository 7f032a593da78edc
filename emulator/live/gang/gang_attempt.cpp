// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/gang/gang_attempt.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "emulator/live/gang/checkpoint.hpp"
#include "emulator/live/gang/replica_backends.hpp"
#include "emulator/modelled_throughput.hpp"
#include "emulator/transition_costs.hpp"
#include "kernels/parallel/split_plan.hpp"

namespace mimus::emulator {
namespace {

using scheduler::EndReason;

constexpr Duration kWindow = std::chrono::milliseconds{100};

}  // namespace

GangAttempt::GangAttempt(WorkerContext& context, Handover from)
    : context_(context),
      message_(std::move(from.next)),
      model_(context.cell.models->at(message_.model)),
      leads_(message_.slots.size() == 1 ||
             context.world.rank() == rank_of(message_.slots.front().lane)),
      commands_(message_.attempt),
      step_commands_(context_, message_, commands_),
      watch_(context, message_, commands_, leads_),
      gang_(context, message_, watch_, leads_, std::move(from.change)),
      batch_(message_.batch),
      limits_(message_.limits),
      progress_(model_, message_.samples_done, message_.work_samples, message_.learning),
      timeline_(context.cell, !context.device->runs_at_full_size()),
      windows_(context.cell, message_.is_probe() ? Duration{} : kWindow),
      cut_(message_.cut_ns == 0 ? WallInstant::max() : context.local(message_.cut_ns)) {
  context_.begin_work(message_.job, message_.attempt);
  for (const Envelope& envelope : std::exchange(context_.early, {})) {
    static_cast<void>(commands_.take(envelope));
  }
}

GangAttempt::~GangAttempt() {
  set_training(false);
  if (!gang_.is_left()) end_communication();
  context_.device->release();
  if (gang_.is_left()) context_.end_work();  // rank 0 asks what a failed worker did
}

/// In the middle of a step the device may be waiting for a peer, and freeing its memory would wait,
/// too. Graphs are destroyed before communicators.
void GangAttempt::end_communication() {
  step_.reset();
  gang_.end_communication();
}

std::optional<Handover> GangAttempt::run() {
  try {
    return run_to_its_end();
  } catch (const AbandonedError&) {
    tell_last_steps();
    throw;
  }
}

std::optional<Handover> GangAttempt::run_to_its_end() {
  if (!enter()) return std::nullopt;
  std::optional<AttemptEnding> ending = start_up();
  if (!ending) ending = train();
  if (ending->next) return hand_over(std::move(*ending->next));
  leave(*ending);
  return std::nullopt;
}

bool GangAttempt::enter() {
  go_to(context_.caught_up(context_.local(message_.at_ns)));
  const auto ending = come_together();
  if (!ending) return true;
  refuse_state();
  leave(*ending);
  return false;
}

/// Forms the gang and takes device memory, for all members or for none.
std::optional<AttemptEnding> GangAttempt::come_together() {
  const AttemptWatch::Together together(watch_);
  gang_.form();
  context_.device->set_cap(limits_.cap, at_);
  set_batch(batch_);
  if (auto ending = take_memory()) return ending;
  if (auto ending = connect()) {
    end_communication();
    return ending;
  }
  set_batch(batch_);
  return std::nullopt;
}

/// Makes the gang's collective. A failure on one member is a failure on all.
std::optional<AttemptEnding> GangAttempt::connect() {
  const MemberWord own =
      word_after([this] { gang_.connect(kernels::parallel_shape(model_, step_shape())); });
  if (gang_.size() == 1 && own.word == 0) return std::nullopt;
  const std::int64_t agreed = agree_on_minimum(own.word);
  if (agreed == 0) return std::nullopt;
  return ending_after(agreed, own);
}

/// Takes the memory for the present batch on every member in place of what was held. If one member
/// fails, none gets it.
std::optional<AttemptEnding> GangAttempt::take_memory() {
  context_.set_stage(Stage::memory);
  constexpr std::int64_t kFits = std::numeric_limits<std::int64_t>::max();
  std::int64_t failed = kFits;  // rank of the member that failed
  std::string reason;
  try {
    context_.device->reserve(plan_);
  } catch (const OutOfMemoryError& full) {
    failed = gang_.rank();
    reason = fmt::format("{} with batch {}: {}", model_.name, batch_.per_gpu, full.what());
  }
  failed = agree_on_minimum(failed);
  if (failed == kFits) return std::nullopt;
  if (failed < 0) return ending_after(failed);
  // Only the member itself knows what it needs and which replicas hold the rest.
  reason = gang_.shared_text(reason, static_cast<int>(failed));
  return AttemptEnding{EndReason::out_of_memory, reason};
}

/// Ends the attempt on all members: writes the checkpoint, frees memory, and only then tells rank
/// 0. The lanes are therefore free when the scheduler hears of the end.
void GangAttempt::leave(const AttemptEnding& ending) {
  set_training(false);
  context_.device->idle_from(at_);
  gang_.quiet_until(WallInstant::max());
  go_to(context_.caught_up(at_));
  const Duration writing = context_.cell.wall(state_bytes() / context_.cell.cluster.storage);
  wait_if_cut_off(ending.checkpoint ? writing : Duration{});
  double kept = message_.samples_kept;
  if (ending.reason == EndReason::finished || ending.checkpoint) kept = progress_.samples_done();
  if (ending.checkpoint) {
    context_.set_stage(Stage::checkpoint);
    const Bytes full = state_bytes();
    if (leads_) {
      write_checkpoint(context_.cell.checkpoint_dir,
                       {JobId{message_.job}, kept, full / context_.cell.work_scale});
    }
    at_ += writing;
    wait_until(at_, Stage::checkpoint);
  }
  kernels::DeviceReport measured = context_.device->take_report();  // only the lead sends it
  context_.device->release();
  (void)agree_on_minimum(0);
  if (leads_) {
    context_.tell(at_, EndedMessage{.attempt = message_.attempt,
                                    .at_ns = context_.world_ns(at_),
                                    .reason = ending.reason,
                                    .detail = ending.detail,
                                    .samples_done = kept,
                                    .windows = windows_.take(at_, true),
                                    .device = std::move(measured)});
    // After the message: if this rank dies before it sends it, the job falls back to this
    // checkpoint.
    if (ending.reason == EndReason::finished && !message_.is_probe()) {
      remove_checkpoint(context_.cell.checkpoint_dir, JobId{message_.job});
    }
  }
  gang_.leave();
}

/// Rank 0 is about to say that the attempt ends at an earlier instant than where it will be
/// `further` from here: nobody is to hear more of it.
void GangAttempt::wait_if_cut_off(Duration further) {
  if (at_ + further <= cut_) return;
  set_training(false);
  context_.device->idle_from(at_);
  gang_.quiet_until(WallInstant::max());
  watch_.wait_until(WallInstant::max(), Stage::agreement);
}

/// The steps that were made before the attempt was cut off.
void GangAttempt::tell_last_steps() {
  if (!leads_ || !context_.losses.is_cut_off(message_.attempt)) return;
  auto windows = windows_.take(at_, true);
  if (windows.empty()) return;
  at_ = std::min(at_, cut_);
  tell_progress(std::move(windows));
}

std::int64_t GangAttempt::agree_on_minimum(std::int64_t own) {
  return gang_.agree_on_minimum(own, at_);
}

void GangAttempt::go_to(WallInstant at) {
  at_ = at;
  watch_.expect(at);
}

void GangAttempt::wait_until(WallInstant until, Stage stage) {
  gang_.quiet_until(until);
  watch_.wait_until(until, stage);
}

double GangAttempt::total_batch() const {
  return static_cast<double>(batch_.total(message_.slots.size()));
}

kernels::StepShape GangAttempt::step_shape() const {
  return {.per_gpu_batch = batch_.per_gpu,
          .accumulation = batch_.accumulation,
          .replicas = static_cast<int>(message_.slots.size())};
}

Bytes GangAttempt::state_bytes() const {
  return checkpoint_bytes(model_);
}

}  // namespace mimus::emulator
