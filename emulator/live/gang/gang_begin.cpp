// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// What a gang does before its first step, and when it continues as a resized gang or elsewhere.
#include <algorithm>
#include <cmath>

#include "emulator/live/gang/checkpoint.hpp"
#include "emulator/live/gang/gang_attempt.hpp"
#include "emulator/live/gang/replica_backends.hpp"
#include "emulator/live/gang/state_bridge.hpp"
#include "emulator/live/messages/joining_messages.hpp"
#include "emulator/modelled_throughput.hpp"
#include "emulator/transition_costs.hpp"

namespace mimus::emulator {

using scheduler::EndReason;

/// What a framework does before its first step, paced to the model's published start-up time, and
/// the real read of a checkpoint, paced to the node's storage. A gang that was resized skips this.
std::optional<AttemptEnding> GangAttempt::start_up() {
  if (message_.is_probe()) return std::nullopt;
  if (message_.follows()) return share_state();
  Duration emulated = model_.startup;
  if (message_.from_checkpoint) {
    context_.set_stage(Stage::restore);
    if (leads_) {
      const auto saved =
          read_checkpoint(context_.cell.checkpoint_dir, JobId{message_.job}, message_.samples_done);
      ensure(std::abs(saved.samples_done - message_.samples_done) < 1e-6,
             "a checkpoint is not where the scheduler believes its job to be");
    }
    emulated += state_bytes() / context_.cell.cluster.storage;
  }
  at_ = context_.caught_up(at_) + context_.cell.wall(emulated);
  // Agreed in advance, so that other tenants need not wait until all members have reported it.
  at_ = agreed_begin();
  context_.device->busy_from(at_);
  set_training(true);
  wait_until(at_, Stage::startup);
  return std::nullopt;
}

/// Gives all members the weights and the optimiser state if some of them are new.
std::optional<AttemptEnding> GangAttempt::share_state() {
  const bool grew = message_.slots.size() > static_cast<std::size_t>(message_.members_before);
  if (message_.moves()) {
    if (auto ending = take_state()) return ending;
  } else if (!grew) {
    return std::nullopt;
  }
  gang_.set_wall_per_emulated(1.0 / context_.cell.engine.time_scale);
  const Duration transfer = state_transfer(model_, context_.cell.cluster, message_.slots);
  watch_.expect(context_.clock.now() + context_.cell.wall(transfer));
  const MemberWord own = word_after([&] {
    const auto end = step_->share_state(state_bytes(), at_, [this](WallInstant now) {
      watch_.poll(now, Stage::state_transfer);
      return false;
    });
    ensure(end.has_value(), "the transfer of a gang's state ended half-way");
    go_to(*end);
  });
  if (own.word < 0) end_communication();
  const std::int64_t agreed = agree_on_minimum(own.word);
  if (agreed == 0) return std::nullopt;
  end_communication();
  return ending_after(agreed, own);
}

/// Of a gang that moves: its lead gets the state from the lead of the gang before. The others wait.
std::optional<AttemptEnding> GangAttempt::take_state() {
  const Duration transfer =
      state_transfer(model_, context_.cell.cluster, message_.state_from, message_.slots.front());
  MemberWord own;
  if (leads_) {
    await_state_on_links(context_, message_);
    StateBridge bridge(context_, message_, watch_);
    const auto outcome = bridge.carry(own, plan_, state_bytes(), at_);
    own.word = outcome.word;
    go_to(outcome.at);
  }
  watch_.expect(context_.clock.now() + context_.cell.wall(transfer));
  // The lead comes last and says when that was. The clock waits where it is until the others have
  // seen it.
  gang_.post({own.word, leads_ ? -context_.world_ns(at_) : 0});
  const auto& agreed = gang_.await(AttemptGang::Awaited::members, at_);
  if (agreed[0] < 0) {
    end_communication();
    return ending_after(agreed[0], own);
  }
  go_to(context_.local(-agreed[1]));
  return std::nullopt;
}

/// This gang cannot begin, which the lead of the gang that it was has yet to hear.
void GangAttempt::refuse_state() {
  if (!message_.moves() || !leads_) return;
  MemberWord no{-1, ""};
  StateBridge bridge(context_, message_, watch_);
  (void)bridge.carry(no, plan_, state_bytes(), at_);
  go_to(context_.caught_up(at_) + Duration{1});  // after the end that the other lead tells
}

void GangAttempt::give_state(const StartMessage& next) {
  MemberWord own;
  StateBridge bridge(context_, next, watch_);
  go_to(bridge.carry(own, plan_, state_bytes(), at_).at);
}

/// Tells those who join that the gang is at the boundary.
void GangAttempt::call_joiners(const StartMessage& next, std::size_t staying) const {
  for (std::size_t rank = staying; rank < next.slots.size(); ++rank) {
    context_.mailbox.send(rank_of(next.slots[rank].lane),
                          JoinGang{next.attempt, next.at_ns, next.samples_done});
  }
}

bool GangAttempt::stays_in(const StartMessage& next) const {
  return !next.moves() && static_cast<std::size_t>(gang_.rank()) < next.slots.size();
}

/// Ends this attempt at a step boundary, where it continues as `next`. Members that leave free what
/// they hold before rank 0 hears of it.
std::optional<Handover> GangAttempt::hand_over(StartMessage next) {
  go_to(context_.caught_up(at_));
  if (cut_ != WallInstant::max()) at_ = agreed_begin();  // all must see alike whether it is cut off
  wait_if_cut_off();
  hand_over_links(context_, next, at_);
  next.at_ns = context_.world_ns(at_);
  next.samples_done = progress_.samples_done();
  const auto staying = next.moves() ? 0 : std::min(next.slots.size(), message_.slots.size());
  const bool stays = stays_in(next);
  kernels::DeviceReport measured = context_.device->take_report();  // only the lead's is sent
  step_.reset();
  GangChange change{.before = gang_.take_data(), .links = std::move(next_links_)};
  if (!stays) change.before.reset();
  if (next.moves()) {
    watch_.expect(at_ + context_.cell.wall(state_transfer(model_, context_.cell.cluster,
                                                          next.state_from, next.slots.front())));
  }
  if (next.moves() && leads_) {
    tell_progress(windows_.take(at_, true));
    call_joiners(next, staying);
    give_state(next);
  }
  if (!stays) context_.device->release();
  std::optional<AttemptWatch::Together> together;
  if (!next.moves()) together.emplace(watch_);  // who goes on counts on all
  (void)agree_on_minimum(0);
  if (leads_) {
    context_.tell(at_, EndedMessage{.attempt = message_.attempt,
                                    .at_ns = context_.world_ns(at_),
                                    .reason = next.moves() ? EndReason::moved : EndReason::resized,
                                    .detail = followed_text({message_.slots}, {next.slots}),
                                    .samples_done = next.samples_done,
                                    .windows = windows_.take(at_, true),
                                    .device = std::move(measured)});
    if (!next.moves()) call_joiners(next, staying);
  }
  gang_.leave();
  if (!stays) return std::nullopt;
  return Handover{std::move(next), std::move(change)};
}

}  // namespace mimus::emulator
