// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/worker/joining_member.hpp"

#include <algorithm>
#include <utility>

#include "emulator/live/gang/gang_commands.hpp"
#include "emulator/live/gang/replica_backends.hpp"
#include "emulator/live/messages/joining_messages.hpp"

namespace mimus::emulator {
namespace {

enum class Gang { awaited, at_boundary, gone };

class JoiningMember {
 public:
  JoiningMember(WorkerContext& context, Handover& to) : context_(context), message_(to.next) {
    context_.begin_work(message_.job, message_.attempt);
    to.change.links = open_links_to_join(context_, message_);
  }

  [[nodiscard]] bool join() {
    context_.set_stage(Stage::startup);
    // The gang may have ended while this worker was still leaving its previous attempt.
    for (const Envelope& envelope : std::exchange(context_.inbox, {})) take(envelope);
    const auto& model = context_.cell.models->at(message_.model);
    const WallInstant begin = context_.caught_up(context_.local(message_.at_ns));
    const WallInstant ready = begin + context_.cell.wall(model.startup);
    if (!wait(ready)) return gang_ == Gang::at_boundary;
    context_.tell(ready, JoinerReady{message_.attempt, context_.world_ns(ready)});
    context_.set_stage(Stage::joining);
    // Waits as long as the gang's step takes. The gang's members and rank 0 watch over that.
    (void)wait(WallInstant::max());
    return gang_ == Gang::at_boundary;
  }

 private:
  /// Returns true if `until` has come and the gang is still awaited.
  [[nodiscard]] bool wait(WallInstant until) {
    for (WallInstant now = context_.clock.now(); gang_ == Gang::awaited && now < until;
         now = context_.clock.now()) {
      context_.look_around();
      while (auto envelope = context_.mailbox.poll()) take(*envelope);
      if (context_.losses.is_abandoned(message_.attempt)) gang_ = Gang::gone;
      if (gang_ == Gang::awaited) nap(now, until);
    }
    return gang_ == Gang::awaited;
  }

  /// Naps until `until` or the next message.
  void nap(WallInstant now, WallInstant until) {
    if (until == WallInstant::max()) {
      context_.clock.nap_for_message(now + kLongestNap);
    } else {
      context_.clock.nap_until(std::min(until, now + kLongestNap));
    }
  }

  void take(const Envelope& envelope) {
    if (context_.take(envelope)) return;
    switch (envelope.kind) {
      case MessageKind::join_gang: {
        const auto join = decode<JoinGang>(envelope.bytes);
        if (join.attempt != message_.attempt) break;
        message_.at_ns = join.at_ns;
        message_.samples_done = join.samples_done;
        gang_ = Gang::at_boundary;
        return;
      }
      case MessageKind::cancel_join:
        if (decode<CancelJoin>(envelope.bytes).attempt != message_.attempt) break;
        gang_ = Gang::gone;
        return;
      case MessageKind::shutdown:
        if (gang_ == Gang::awaited) gang_ = Gang::gone;
        break;
      default:
        break;
    }
    const bool is_early = GangCommands::is_one(envelope.kind);
    (is_early ? context_.early : context_.inbox).push_back(envelope);
  }

  WorkerContext& context_;
  StartMessage& message_;
  Gang gang_ = Gang::awaited;
};

}  // namespace

bool await_gang(WorkerContext& context, Handover& to) {
  const bool joins = JoiningMember(context, to).join();
  context.end_work();
  return joins;
}

}  // namespace mimus::emulator
