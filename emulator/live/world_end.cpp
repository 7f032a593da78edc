// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/world_end.hpp"

#include <set>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/log.hpp"
#include "base/quantity_text.hpp"

namespace mimus::emulator {
namespace {

void report(const LiveWorld& world, const std::set<int>& awaited, Duration patience) {
  std::vector<std::string> who;
  for (const int rank : awaited) who.push_back(world.where_is(rank));
  log::warn("the run is over, but for {} did not leave: {}; the world is aborted",
            format_duration(patience), fmt::join(who, ", "));
}

}  // namespace

bool dismiss_workers(const LiveWorld& world, Mailbox& mailbox, ExitCode code, Duration patience) {
  std::set<int> awaited;
  for (int rank = 1; rank < world.mpi().size(); ++rank) {
    mailbox.send(rank, Shutdown{static_cast<std::int32_t>(code)});
    awaited.insert(rank);
  }
  const WallInstant give_up = wall_now() + patience;
  Backoff backoff(std::chrono::microseconds{100}, kLongestNap);
  while (!awaited.empty() && wall_now() < give_up) {
    const auto envelope = mailbox.poll();
    if (!envelope) {
      backoff.nap();
    } else if (envelope->kind == MessageKind::worker_leaves) {
      awaited.erase(envelope->source);
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
