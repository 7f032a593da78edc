// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/host/host_clocks.hpp"

#include <algorithm>

#include "emulator/live/mpi/process_state.hpp"

namespace mimus::emulator {
namespace {

using kernels::PaceClock;

/// Minimum time between two reports of a host.
constexpr Duration kInterval = std::chrono::milliseconds{1};
/// Nap of a rank that waits for a message: a fraction of the latency that it may add.
constexpr Duration kNapOfRank0 = std::chrono::microseconds{500};
constexpr Duration kNapForAnswer = std::chrono::microseconds{300};
/// A report may come before rank 0 has begun the cell, and is then not answered. More reports than
/// answers would make a queue, in which every answer is older than the one before.
constexpr Duration kAskAgain = std::chrono::milliseconds{100};
constexpr Duration kDeadWatchInterval = std::chrono::milliseconds{200};

WallInstant ceiling_over(std::int64_t least_ns) {
  if (least_ns == PaceClock::kWallEnd) return WallInstant::max();
  return WallInstant{Duration{least_ns} + kHostWindow};
}

}  // namespace

HostClocks::HostClocks(const MpiWorld& world, const HostSegment& segment, PaceClock& clock,
                       int cell)
    : segment_(segment),
      clock_(clock),
      decisions_(segment.decisions()),
      cell_(cell),
      mailbox_(world.clocks()),
      floors_(1 + *std::max_element(segment.hosts().begin(), segment.hosts().end())),
      ranks_(segment.hosts().size()),
      unsettled_(static_cast<std::size_t>(floors_.count()), false) {}

void HostClocks::given(int rank) {
  const int host = segment_.hosts()[static_cast<std::size_t>(rank)];
  if (host == 0) return;
  ++ranks_[static_cast<std::size_t>(rank)].given;
  floors_.given(host);
  unsettled_[static_cast<std::size_t>(host)] = true;
}

void HostClocks::heard(int rank) {
  const int host = segment_.hosts()[static_cast<std::size_t>(rank)];
  if (host == 0) return;
  ++ranks_[static_cast<std::size_t>(rank)].heard;
  floors_.heard(host);
}

/// The rank will not take up the work that it was given, and its last messages may never be read.
void HostClocks::lost(int rank) {
  const int host = segment_.hosts()[static_cast<std::size_t>(rank)];
  Rank& dead = ranks_[static_cast<std::size_t>(rank)];
  if (host == 0 || dead.lost) return;
  floors_.forget(host, dead.given, dead.heard);
  dead = {.lost = true};
  for (std::size_t other = 0; other < ranks_.size(); ++other) {
    if (segment_.hosts()[other] == host && !ranks_[other].lost) return;
  }
  floors_.lose(host);
}

Duration HostClocks::exchange() {
  std::vector<int> asked;
  while (const auto envelope = mailbox_.poll()) {
    const auto message = decode<HostReport>(envelope->bytes);
    if (message.cell != cell_) continue;
    floors_.report(segment_.hosts()[static_cast<std::size_t>(envelope->source)], message.report);
    asked.push_back(envelope->source);
  }
  // First set the limit from the other hosts, and then release what was held in their place.
  clock_.set_ceiling(ceiling_over(floors_.least_of_others(0)));
  for (int host = 1; host < floors_.count(); ++host) settle(host);
  for (const int rank : asked) answer(rank);
  return kNapOfRank0;
}

void HostClocks::settle(int host) {
  const auto index = static_cast<std::size_t>(host);
  if (!unsettled_[index] || !floors_.has_taken_up(host)) return;
  unsettled_[index] = false;
  for (std::size_t rank = 0; rank < segment_.hosts().size(); ++rank) {
    if (segment_.hosts()[rank] == host) clock_.settle(static_cast<int>(rank));
  }
}

void HostClocks::answer(int rank) {
  const int host = segment_.hosts()[static_cast<std::size_t>(rank)];
  const std::int64_t others = std::min(floors_.least_of_others(host), clock_.report().least_ns);
  const WallInstant told = std::min(clock_.told_until(), PaceClock::told_before(least_of_others()));
  HostAnswer answer{.cell = cell_,
                    .ceiling_ns = ceiling_over(others).time_since_epoch().count(),
                    .now_ns = clock_.now().time_since_epoch().count(),
                    .settled_ns = std::min(told, decisions_.open_from()).time_since_epoch().count(),
                    .last_commands = {}};
  for (std::size_t other = 0; other < ranks_.size(); ++other) {
    if (segment_.hosts()[other] != host) continue;
    answer.last_commands.push_back(decisions_.last_command(static_cast<int>(other)));
  }
  mailbox_.send(rank, answer);
}

HostVoice::HostVoice(const MpiWorld& world, const HostSegment& segment, PaceClock& clock, int cell)
    : segment_(segment),
      clock_(clock),
      decisions_(segment.decisions()),
      cell_(cell),
      mailbox_(world.clocks()) {}

Duration HostVoice::exchange() {
  if (asked_) follow_answers();
  const WallInstant wall = wall_now();
  const bool may_ask = !asked_ || wall - *asked_ > kAskAgain;
  const PaceClock::Report report = clock_.report();
  const bool is_news = report.works() || report != last_;
  if (may_ask && is_news && clock_.claim_report(kInterval)) {
    let_clock_go_of_dead();
    last_ = clock_.report();
    mailbox_.send(0, HostReport{.cell = cell_, .report = last_});
    asked_ = wall;
  }
  return asked_ ? kNapForAnswer : kLongestNap;
}

/// Of several answers, the last one counts.
void HostVoice::follow_answers() {
  while (const auto envelope = mailbox_.poll()) {
    const auto answer = decode<HostAnswer>(envelope->bytes);
    if (answer.cell != cell_) continue;
    asked_.reset();
    follow(answer);
  }
}

void HostVoice::follow(const HostAnswer& answer) {
  auto command = answer.last_commands.begin();
  for (std::size_t rank = 0; rank < segment_.hosts().size(); ++rank) {
    if (segment_.hosts()[rank] != segment_.own_host()) continue;
    if (command == answer.last_commands.end()) break;
    decisions_.follow_command(static_cast<int>(rank), *command++);
  }
  decisions_.follow(WallInstant{Duration{answer.settled_ns}});
  clock_.follow(WallInstant{Duration{answer.ceiling_ns}}, WallInstant{Duration{answer.now_ns}});
}

/// A host must drop its dead ranks itself, because rank 0 cannot see the processes of other hosts.
void HostVoice::let_clock_go_of_dead() {
  const WallInstant wall = wall_now();
  if (clock_.stuck() == Duration{} || wall - last_watch_ < kDeadWatchInterval) return;
  last_watch_ = wall;
  const auto slowest = clock_.slowest();
  if (!slowest) return;
  const std::int64_t pid = segment_.statuses()[static_cast<std::size_t>(*slowest)].pid;
  if (is_gone(pid)) clock_.forget(*slowest);
}

}  // namespace mimus::emulator
