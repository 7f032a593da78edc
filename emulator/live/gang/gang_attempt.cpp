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
constexpr Duration kPollInterval = std::chrono::milliseconds{1};

}  // namespace

GangAttempt::GangAttempt(WorkerContext& context, StartMessage message,
                         std::unique_ptr<kernels::Collective> before)
    : context_(context),
      message_(std::move(message)),
      model_(context.cell.models->at(message_.model)),
      before_(std::move(before)),
      batch_(message_.batch),
      progress_(model_, message_.samples_done, message_.work_samples),
      windows_(context.cell, message_.is_probe() ? Duration{} : kWindow) {
  context_.begin_work(message_.job, message_.attempt);
  for (const Envelope& envelope : std::exchange(context_.early, {})) {
    static_cast<void>(take_command(envelope));
  }
}

GangAttempt::~GangAttempt() {
  set_training(false);
  if (!left_) {
    end_communication();
    if (gang_) gang_->abandon();
    (void)agreement_.release();
    (void)gang_.release();
  }
  context_.device->release();
  if (left_) context_.end_work();  // rank 0 will ask what a worker was doing that has failed
}

/// In the middle of a step the device may be waiting for a peer, and freeing its memory would wait
/// for that. Graphs go first: NCCL does not end a communicator that one of them uses.
void GangAttempt::end_communication() {
  step_.reset();
  before_.reset();
  // Members may be gone: MPI may still write into what it was given, so that is left to it.
  if (channels_ && !left_) channels_->abandon();
  channels_.reset();
}

std::optional<Handover> GangAttempt::run() {
  if (!enter()) return std::nullopt;
  std::optional<Ending> ending = start_up();
  if (!ending) ending = train();
  if (ending->next) return hand_over(std::move(*ending->next));
  leave(*ending);
  return std::nullopt;
}

/// Forms the gang and takes device memory: all members or none.
bool GangAttempt::enter() {
  stage_due_ = at_ = context_.caught_up(context_.local(message_.at_ns));
  meet();
  gang_ = std::make_unique<GangCommunicator>(context_.world.communicator(), message_.slots,
                                             message_.attempt);
  gang_->while_waiting([this] { poll(context_.clock.now(), Stage::agreement); });
  agreement_ = std::make_unique<GangAgreement>(*gang_);
  set_batch(batch_);
  if (auto ending = take_memory()) {
    leave(*ending);
    return false;
  }
  if (auto ending = connect()) {
    end_communication();
    leave(*ending);
    return false;
  }
  set_batch(batch_);
  return true;
}

/// Makes the gang's collective; what fails on one member fails on all.
std::optional<GangAttempt::Ending> GangAttempt::connect() {
  if (gang_->size() == 1) {
    before_.reset();
    return std::nullopt;
  }
  std::int64_t outcome = 0;
  std::string detail;
  try {
    channels_ =
        std::make_unique<GangChannels>(context_, *gang_, message_.slots, message_.attempt,
                                       kernels::parallel_shape(model_, step_shape()),
                                       GangChange{std::move(before_), message_.members_before});
  } catch (const kernels::PeerLostError& lost) {
    outcome = kGangLost;
    detail = lost.what();
  } catch (const OutOfMemoryError& full) {
    outcome = kGangOutOfMemory;
    detail = full.what();
  }
  const std::int64_t agreed = agree_on_minimum(outcome);
  if (agreed == 0) return std::nullopt;
  return Ending{reason_of(agreed), agreed == outcome ? detail : text_of(agreed), false};
}

EndReason GangAttempt::reason_of(std::int64_t word) {
  return word == kGangOutOfMemory ? EndReason::out_of_memory : EndReason::failed;
}

const char* GangAttempt::text_of(std::int64_t word) {
  return word == kGangOutOfMemory ? "a member of the gang is out of memory"
                                  : "a member of the gang was lost";
}

/// Takes the present batch's memory on every member, in place of what was held; or none gets it.
std::optional<GangAttempt::Ending> GangAttempt::take_memory() {
  context_.set_stage(Stage::memory);
  constexpr std::int64_t kFits = std::numeric_limits<std::int64_t>::max();
  std::int64_t failed = kFits;  // rank of a member
  std::string reason;
  try {
    context_.device->reserve(plan_);
  } catch (const OutOfMemoryError& full) {
    failed = gang_->rank();
    reason = fmt::format("{} with batch {}: {}", model_.name, batch_.per_gpu, full.what());
  }
  failed = agree_on_minimum(failed);
  if (failed == kFits) return std::nullopt;
  if (failed < 0) return Ending{reason_of(failed), text_of(failed), false};
  // Only the member itself knows what it needs and who has the rest.
  reason = gang_->shared_text(reason, "exchange of why memory ran out",
                              context_.cell.engine.stage_timeout, static_cast<int>(failed));
  return Ending{EndReason::out_of_memory, reason, false};
}

/// Ends the attempt together: checkpoint, memory back, and only then the word to rank 0, so that
/// the lanes are free when the scheduler hears of it.
void GangAttempt::leave(const Ending& ending) {
  set_training(false);
  context_.device->idle_from(at_);
  if (channels_) channels_->quiet_until(WallInstant::max());
  stage_due_ = at_ = context_.caught_up(at_);
  double kept = message_.samples_kept;
  if (ending.reason == EndReason::finished || ending.checkpoint) kept = progress_.samples_done();
  if (ending.checkpoint) {
    context_.set_stage(Stage::checkpoint);
    const Bytes full = state_bytes();
    if (is_lead()) {
      write_checkpoint(context_.cell.checkpoint_dir,
                       {JobId{message_.job}, kept, full / context_.cell.work_scale});
    }
    at_ += context_.cell.wall(full / context_.cell.cluster.storage);
    wait_until(at_, Stage::checkpoint);
  }
  kernels::DeviceReport measured = context_.device->take_report();  // others' is dropped
  context_.device->release();
  (void)agree_on_minimum(0);
  if (is_lead()) {
    context_.tell(at_, EndedMessage{.attempt = message_.attempt,
                                    .at_ns = context_.world_ns(at_),
                                    .reason = ending.reason,
                                    .detail = ending.detail,
                                    .samples_done = kept,
                                    .windows = windows_.take(at_, true),
                                    .device = std::move(measured)});
    // Behind the message: who dies before it sends it leaves what the job falls back to.
    if (ending.reason == EndReason::finished && !message_.is_probe()) {
      remove_checkpoint(context_.cell.checkpoint_dir, JobId{message_.job});
    }
  }
  left_ = true;
}

std::int64_t GangAttempt::agree_on_minimum(std::int64_t own) {
  agreement_->post({own});
  await_agreement(Awaited::members);
  return agreement_->minimum()[0];
}

/// The clock waits while the members' agreement is under way: other tenants of the GPU are held up
/// for no longer than the clock shows.
void GangAttempt::await_agreement(Awaited awaited) {
  Duration nap = std::chrono::microseconds{20};
  while (!agreement_->ready()) {
    const WallInstant now = context_.clock.now();
    poll(now, Stage::agreement);
    if (channels_) channels_->idle_at(now);
    if (awaited == Awaited::words) {
      context_.clock.nap_until(now + nap, at_);
    } else {
      context_.device->quiet_until(now - kernels::PaceClock::kWindow);
      context_.clock.nap_for_message(now + nap);
    }
    nap = std::min(kLongestNap, nap * 3 / 2);
  }
}

void GangAttempt::wait_until(WallInstant until, Stage stage) {
  stage_due_ = until;
  if (channels_) channels_->quiet_until(until);
  for (WallInstant now = context_.clock.now(); now < until; now = context_.clock.now()) {
    poll(now, stage);
    context_.clock.nap_until(std::min(until, now + kLongestNap), until);
  }
}

void GangAttempt::poll(WallInstant now, Stage stage) {
  context_.set_stage(stage);
  const WallInstant wall = wall_now();
  if (now <= stage_due_) in_time_ = wall;
  // By either clock: one that is unbound may be the faster.
  if (wall - last_poll_ < kPollInterval && now - polled_at_ < kPollInterval) return;
  last_poll_ = wall;
  polled_at_ = now;
  context_.look_around();
  while (auto envelope = context_.mailbox.poll()) {
    if (!context_.take(*envelope)) take_message(*envelope);
  }
  if (context_.losses.is_abandoned(message_.attempt)) throw AbandonedError();
  const Duration limit = context_.cell.engine.stage_timeout;
  if (is_lead() && wall - last_alive_ > limit / 2) {
    context_.mailbox.send(0, AttemptAlive{message_.attempt});
    last_alive_ = wall;
  }
  const Duration waited =
      std::max(std::min(now - stage_due_, wall - in_time_), context_.clock.stuck());
  if (waited <= limit) return;
  throw TimeoutError(name(stage), waited,
                     fmt::format("attempt {} of job {} ({}) does not get on{}; a member of its "
                                 "gang may be gone, or the host may be too busy: raise "
                                 "engine.stage_timeout or lower engine.host_load",
                                 message_.attempt, message_.job, message_.model, clock_text()));
}

/// Whom the clock waits for, if it stands still.
std::string GangAttempt::clock_text() const {
  const auto slowest = context_.clock.slowest();
  if (context_.clock.stuck() == Duration{} || !slowest) return "";
  return fmt::format("; the emulated clock waits for rank {}", *slowest);
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
