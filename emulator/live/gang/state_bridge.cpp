// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/gang/state_bridge.hpp"

#include "emulator/transition_costs.hpp"
#include "kernels/parallel/rank_groups.hpp"
#include "kernels/training_step.hpp"

namespace mimus::emulator {
namespace {

StartMessage pair_of_leads(const StartMessage& to) {
  StartMessage pair = to;
  pair.slots = {to.state_from, to.slots.front()};
  pair.members_before = 0;
  return pair;
}

}  // namespace

StateBridge::StateBridge(WorkerContext& context, const StartMessage& to, AttemptWatch& watch)
    : context_(context),
      watch_(watch),
      pair_(pair_of_leads(to)),
      gang_(context, pair_, watch, context.world.rank() == rank_of(to.state_from.lane), {}) {}

StateBridge::Outcome StateBridge::carry(MemberWord& own, const kernels::FootprintPlan& plan,
                                        Bytes state, WallInstant at) {
  gang_.form(AttemptGang::Meeting::leads_of_move);
  if (own.word == 0) own = word_after([&] { gang_.connect(kernels::ParallelShape{}); });
  std::int64_t agreed = agree(own, at);
  if (agreed == 0) {
    own = word_after([&] { at = transfer(plan, state, at); });
    agreed = agree(own, at);
  }
  if (agreed < 0) {
    gang_.end_communication();
    return {agreed, at};
  }
  gang_.post({-context_.world_ns(at)});
  const WallInstant end = context_.local(-gang_.await(AttemptGang::Awaited::words, at)[0]);
  gang_.leave();
  return {0, end};
}

/// Both are there, so the clock waits for the words.
std::int64_t StateBridge::agree(MemberWord& own, WallInstant at) {
  watch_.expect(context_.clock.now());
  gang_.post({own.word});
  return gang_.await(AttemptGang::Awaited::words, at)[0];
}

WallInstant StateBridge::transfer(const kernels::FootprintPlan& plan, Bytes state,
                                  WallInstant ready) {
  gang_.set_wall_per_emulated(1.0 / context_.cell.engine.time_scale);
  const workloads::Model& model = context_.cell.models->at(pair_.model);
  const Duration duration = state_transfer(model, context_.cell.cluster, pair_.slots);
  watch_.expect(context_.clock.now() + context_.cell.wall(duration));
  const auto step = context_.device->make_step(gang_.collectives(), plan);
  const auto end = step->share_state(state, ready, [this](WallInstant now) {
    watch_.poll(now, Stage::state_transfer);
    return false;
  });
  ensure(end.has_value(), "the transfer of a gang's state ended half-way");
  return *end;
}

}  // namespace mimus::emulator
