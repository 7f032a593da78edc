// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/gang/attempt_gang.hpp"

#include <algorithm>
#include <utility>

namespace mimus::emulator {
namespace {

constexpr Duration kShortestNap = std::chrono::microseconds{20};

}  // namespace

AttemptGang::~AttemptGang() {
  if (left_) return;
  end_communication();
  if (gang_) gang_->abandon();
  if (words_) words_->abandon();
  (void)agreement_.release();
  (void)words_.release();
  (void)gang_.release();
}

void AttemptGang::form(Meeting why) {
  meet(why);
  const MPI_Comm world = context_.world.communicator();
  gang_ = std::make_unique<GangCommunicator>(world, message_.slots, message_.attempt);
  words_ = std::make_unique<GangCommunicator>(world, message_.slots, message_.attempt);
  gang_->while_waiting([this] { watch_.poll(context_.clock.now(), Stage::agreement); });
  agreement_ = std::make_unique<GangAgreement>(*words_);
}

/// MPI creates a communicator in a call that members cannot leave if one of them has died. They
/// therefore first meet by messages, which can be abandoned, and then make the call together. The
/// emulated clock waits meanwhile.
void AttemptGang::meet(Meeting why) {
  const auto number = static_cast<std::int32_t>(why);
  const auto& slots = message_.slots;
  const int lead = rank_of(slots.front().lane);
  const GangMeets meeting = context_.losses.meeting(message_.attempt, number);
  if (!leads_) context_.mailbox.send(lead, meeting);
  watch_.expect(context_.clock.now());
  Backoff backoff(std::chrono::microseconds{20}, kLongestNap);
  const auto& here = context_.losses.met(message_.attempt, number);
  for (const std::size_t awaited = leads_ ? slots.size() - 1 : 1; here.size() < awaited;) {
    watch_.poll(context_.clock.now(), Stage::gang_creation);
    backoff.nap();
  }
  if (!leads_) return;
  for (const auto& slot : slots) {
    if (rank_of(slot.lane) != lead) context_.mailbox.send(rank_of(slot.lane), meeting);
  }
}

std::string AttemptGang::shared_text(const std::string& text, int from) const {
  return gang_->shared_text(text, "exchange of why memory ran out",
                            context_.cell.engine.stage_timeout, from);
}

const GangAgreement::Values& AttemptGang::await(Awaited awaited, WallInstant at) {
  if (awaited == Awaited::words) {
    await_words(at, [this] { return agreement_->ready(); });
  } else {
    await_members(at);
  }
  return agreement_->minimum();
}

void AttemptGang::await_own(const std::function<bool()>& posts, WallInstant at) {
  await_words(at, posts);
}

void AttemptGang::await_words(WallInstant at, const std::function<bool()>& done) {
  for (Duration nap = kShortestNap; !done(); nap = std::min(kLongestNap, nap * 3 / 2)) {
    const WallInstant now = context_.clock.now();
    watch_.poll(now, Stage::agreement);
    if (channels_) channels_->idle_at(now);
    context_.clock.nap_until(now + nap, at);
  }
}

void AttemptGang::await_members(WallInstant at) {
  gathering_.arrive();
  for (Duration nap = kShortestNap; !agreement_->ready();
       nap = std::min(kLongestNap, nap * 3 / 2)) {
    nap_for_members(at, nap);
  }
  gathering_.go_on(at, [&] { nap_for_members(at, kShortestNap); });
}

void AttemptGang::nap_for_members(WallInstant at, Duration nap) {
  const WallInstant now = context_.clock.now();
  watch_.poll(now, Stage::agreement);
  if (channels_) channels_->idle_at(now);
  context_.device->quiet_until(now - kernels::PaceClock::kWindow);
  if (gathering_.is_complete()) {
    context_.clock.nap_until(now + nap, at);
  } else {
    context_.clock.nap_for_message(now + nap);
  }
}

std::int64_t AttemptGang::agree_on_minimum(std::int64_t own, WallInstant at) {
  post({own});
  return await(Awaited::members, at)[0];
}

void AttemptGang::connect(const kernels::ParallelShape& shape) {
  // After a move all members are new, and there is no communicator to grow.
  change_.members_before = message_.moves() ? 0 : message_.members_before;
  GangChange change = std::exchange(change_, {});
  channels_ = std::make_unique<GangChannels>(context_, *gang_, message_.slots, message_.attempt,
                                             shape, std::move(change));
}

void AttemptGang::set_wall_per_emulated(double factor) {
  if (channels_) channels_->set_wall_per_emulated(factor);
}

void AttemptGang::quiet_until(WallInstant at) {
  if (channels_) channels_->quiet_until(at);
  if (change_.links) change_.links->quiet_until(at);
}

void AttemptGang::busy_from(WallInstant at) {
  if (channels_) channels_->busy_from(at);
  if (change_.links) change_.links->busy_from(at);
}

std::unique_ptr<kernels::Collective> AttemptGang::take_data() {
  return channels_ ? channels_->take_data() : nullptr;
}

void AttemptGang::end_communication() {
  change_ = {};
  // Members may be gone. MPI may still write into the buffers that it was given, so they are left
  // to it.
  if (channels_ && !left_) channels_->abandon();
  channels_.reset();
}

}  // namespace mimus::emulator
