// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// What a gang does before its first step, and when it continues as a resized gang.
#include <algorithm>
#include <cmath>

#include "emulator/live/gang/checkpoint.hpp"
#include "emulator/live/gang/gang_attempt.hpp"
#include "emulator/modelled_throughput.hpp"
#include "emulator/transition_costs.hpp"

namespace mimus::emulator {

using scheduler::EndReason;

/// What a framework does before its first step, paced to the model's published start-up time, and
/// the real read of a checkpoint, paced to the node's storage. A gang that was resized skips this.
std::optional<AttemptEnding> GangAttempt::start_up() {
  if (message_.is_probe()) return std::nullopt;
  if (message_.is_resized()) return share_state();
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

/// Sends the lead's weights and optimiser state to all members if some of them are new.
std::optional<AttemptEnding> GangAttempt::share_state() {
  const bool grew = message_.slots.size() > static_cast<std::size_t>(message_.members_before);
  if (!grew) return std::nullopt;
  gang_.set_wall_per_emulated(1.0 / context_.cell.engine.time_scale);
  const Duration transfer =
      kernels::collective_time(kernels::CollectiveOp::broadcast, state_bytes(), gang_.size(),
                               gang_link(context_.cell.cluster, message_.slots));
  watch_.expect(context_.clock.now() + context_.cell.wall(transfer));
  const MemberWord own = word_after([&] {
    const bool shared = step_->share_state(state_bytes(), [this](WallInstant now) {
      watch_.poll(now, Stage::state_transfer);
      return false;
    });
    ensure(shared, "the transfer of a gang's state ended half-way");
  });
  if (own.word < 0) end_communication();
  go_to(context_.clock.now());
  const std::int64_t agreed = agree_on_minimum(own.word);
  if (agreed == 0) return std::nullopt;
  end_communication();
  return ending_after(agreed, own);
}

/// Ends this attempt at a step boundary, where it continues as `next`. Members that leave free what
/// they hold before rank 0 hears of it.
std::optional<Handover> GangAttempt::hand_over(StartMessage next) {
  go_to(context_.caught_up(at_));
  next.at_ns = context_.world_ns(at_);
  next.samples_done = progress_.samples_done();
  const auto staying = std::min(next.slots.size(), message_.slots.size());
  const bool stays = static_cast<std::size_t>(gang_.rank()) < staying;
  kernels::DeviceReport measured = context_.device->take_report();  // only the lead's is sent
  step_.reset();
  gang_.quiet_until(WallInstant::max());
  auto collective = gang_.take_data();
  if (!stays) {
    collective.reset();
    context_.device->release();
  }
  (void)agree_on_minimum(0);
  if (leads_) {
    context_.tell(at_,
                  EndedMessage{.attempt = message_.attempt,
                               .at_ns = next.at_ns,
                               .reason = EndReason::resized,
                               .detail = resized_text(message_.slots.size(), next.slots.size()),
                               .samples_done = next.samples_done,
                               .windows = windows_.take(at_, true),
                               .device = std::move(measured)});
    for (std::size_t rank = staying; rank < next.slots.size(); ++rank) {
      context_.mailbox.send(rank_of(next.slots[rank].lane),
                            JoinGang{next.attempt, next.samples_done});
    }
  }
  gang_.leave();
  if (!stays) return std::nullopt;
  return Handover{std::move(next), std::move(collective)};
}

}  // namespace mimus::emulator
