// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/host/host_watch.hpp"

#include <algorithm>
#include <unistd.h>

#include "base/error.hpp"
#include "emulator/live/messages/loss_messages.hpp"
#include "emulator/live/mpi/process_state.hpp"
#include "emulator/live/mpi/survival.hpp"

namespace mimus::emulator {
namespace {

constexpr Duration kHostLook = std::chrono::milliseconds{250};

}  // namespace

HostWatch::HostWatch(const MpiWorld& world, const HostSegment& host, Mailbox& mailbox)
    : world_(world), host_(host), mailbox_(mailbox), needed_(outlives_others()) {
  for (int rank = 0; rank < world.size(); ++rank) {
    if (host.statuses()[static_cast<std::size_t>(rank)].pid != 0) ranks_.push_back(rank);
  }
  beside_rank_0_ = !ranks_.empty() && ranks_.front() == 0;
}

bool HostWatch::is_dead(int rank) const {
  return is_gone(host_.statuses()[static_cast<std::size_t>(rank)].pid);
}

bool HostWatch::is_first_that_lives() const {
  return std::ranges::all_of(
      ranks_, [this](int rank) { return rank == 0 || rank >= world_.rank() || is_dead(rank); });
}

std::vector<int> HostWatch::look() {
  const WallInstant now = wall_now();
  if (!needed_ || now - last_look_ < kHostLook) return {};
  last_look_ = now;
  if (!beside_rank_0_ && now - last_alive_ >= kHostAliveInterval) {
    mailbox_.send(0, HostAlive{});
    last_alive_ = now;
  }
  if (!is_first_that_lives()) return {};
  if (beside_rank_0_) {
    if (!is_dead(0)) return {};
    end_launcher();
    ::_exit(static_cast<int>(ExitCode::run_failed));
  }
  std::vector<int> found;
  for (const int rank : ranks_) {
    if (dead_.contains(rank) || !is_dead(rank)) continue;
    dead_.insert(rank);
    found.push_back(rank);
    const RankStatus& status = host_.statuses()[static_cast<std::size_t>(rank)];
    mailbox_.send(0, RankLost{.rank = rank, .doing = text_of(status)});
  }
  return found;
}

}  // namespace mimus::emulator
