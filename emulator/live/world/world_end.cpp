// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/world/world_end.hpp"

#include <set>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/log.hpp"
#include "base/quantity_text.hpp"
#include "emulator/live/messages/loss_messages.hpp"
#include "emulator/live/mpi/process_state.hpp"
#include "emulator/live/mpi/survival.hpp"
#include "emulator/live/world/launch_note.hpp"

namespace mimus::emulator {
namespace {

void report(const LiveWorld& world, const std::set<int>& awaited, Duration patience) {
  std::vector<std::string> who;
  for (const int rank : awaited) who.push_back(world.where_is(rank));
  log::warn("the run is over, but after {} these have not left: {}; the world is aborted",
            format_duration(patience), fmt::join(who, ", "));
}

std::set<int> workers(const LiveWorld& world, const Mailbox& mailbox) {
  std::set<int> out;
  for (int rank = 1; rank < world.mpi().size(); ++rank) {
    if (!mailbox.is_lost(rank)) out.insert(rank);
  }
  return out;
}

/// Removes the ranks of this host that have died without a message.
void leave_out_dead(const LiveWorld& world, std::set<int>& awaited) {
  std::erase_if(awaited, [&](int rank) {
    const auto pid = world.host().statuses()[static_cast<std::size_t>(rank)].pid.load();
    return pid != 0 && is_gone(pid);
  });
}

}  // namespace

void await_service(const LiveWorld& world, Mailbox& mailbox, Duration patience) {
  std::set<int> awaited = workers(world, mailbox);
  const WallInstant begin = wall_now();
  Backoff backoff(std::chrono::microseconds{100}, kLongestNap);
  while (!awaited.empty()) {
    const auto envelope = mailbox.poll();
    if (!envelope) {
      backoff.nap();
    } else if (envelope->kind == MessageKind::worker_serves) {
      awaited.erase(envelope->source);
    }
    if (const Duration waited = wall_now() - begin; waited > patience) {
      throw TimeoutError("meeting of the ranks", waited,
                         fmt::format("{} does not answer", world.where_is(*awaited.begin())));
    }
  }
}

void prepare_to_leave(const MpiWorld& mpi, ExitCode code, bool some_died) {
  if (!outlives_others()) return;
  constexpr Duration kLaunchersOwnEnd = std::chrono::seconds{3};
  note_leaving(static_cast<int>(code));
  leave_exit_code(static_cast<int>(code));
  if (some_died) mpi.leave_without_end();
  end_launcher_after(kLaunchersOwnEnd);
}

bool dismiss_workers(const LiveWorld& world, Mailbox& mailbox, ExitCode code, Duration patience) {
  std::set<int> awaited = workers(world, mailbox);
  const Shutdown shutdown{.exit_code = static_cast<std::int32_t>(code),
                          .ends_mpi = mailbox.lost().empty()};
  for (const int rank : awaited) mailbox.send(rank, shutdown);
  const WallInstant give_up = wall_now() + patience;
  Backoff backoff(std::chrono::microseconds{100}, kLongestNap);
  while (!awaited.empty() && wall_now() < give_up) {
    const auto envelope = mailbox.poll();
    if (!envelope) {
      if (outlives_others()) leave_out_dead(world, awaited);
      backoff.nap();
    } else if (envelope->kind == MessageKind::worker_leaves) {
      awaited.erase(envelope->source);
    } else if (envelope->kind == MessageKind::rank_lost) {
      awaited.erase(decode<RankLost>(envelope->bytes).rank);
    } else if (envelope->kind == MessageKind::worker_failed) {
      const auto failure = decode<WorkerFailed>(envelope->bytes);
      throw Error(static_cast<ExitCode>(failure.exit_code),
                  fmt::format("{}: {}", world.where_is(envelope->source), failure.what));
    }
  }
  if (!awaited.empty()) report(world, awaited, patience);
  return awaited.empty();
}

}  // namespace mimus::emulator
