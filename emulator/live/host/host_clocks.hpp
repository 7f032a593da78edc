// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "emulator/live/host/host_floors.hpp"
#include "emulator/live/host/host_segment.hpp"
#include "emulator/live/mpi/mpi_world.hpp"
#include "kernels/pacing/pace_clock.hpp"

namespace mimus::emulator {

/// How far the clock of a host may be ahead of what the members of another one have promised. A
/// report and its answer take one to two milliseconds, in which clocks that keep up go as far.
inline constexpr Duration kHostWindow = std::chrono::milliseconds{5};

/// A host's report of its clock to rank 0, from any of its ranks.
struct HostReport {
  static constexpr auto kKind = MessageKind::host_report;
  std::int32_t cell = 0;  ///< it may arrive in the next one
  kernels::PaceClock::Report report;
  void visit(auto&& f) { f(cell), f(report); }
};

/// Rank 0's answer to the rank that reported.
struct HostAnswer {
  static constexpr auto kKind = MessageKind::host_answer;
  std::int32_t cell = 0;
  std::int64_t ceiling_ns = 0;              ///< limit that the other hosts set to this one
  std::int64_t now_ns = 0;                  ///< rank 0's clock
  std::int64_t settled_ns = 0;              ///< see DecisionBoard
  std::vector<std::int64_t> last_commands;  ///< by ascending rank of the asking host
  void visit(auto&& f) { f(cell), f(ceiling_ns), f(now_ns), f(settled_ns), f(last_commands); }
};

/// Rank 0's part in the agreement of the hosts' clocks. Every host reports its clock at most once a
/// millisecond, and is sent the limit that the others set to it. A rank sends its next report only
/// after the answer. A host that is busy or stopped is therefore not flooded, and the others wait
/// for it.
class HostClocks {
 public:
  HostClocks(const MpiWorld& world, const HostSegment& segment, kernels::PaceClock& clock,
             int cell);

  /// Rank `rank` is sent something to do; the clock has been assigned it.
  void given(int rank);
  /// A message of `rank` that holds the clock has been read.
  void heard(int rank);
  /// `rank` is dead.
  void lost(int rank);
  /// Clock of the slowest of the other hosts; the far future while none of them works.
  [[nodiscard]] WallInstant least_of_others() const {
    return WallInstant{Duration{floors_.least_of_others(segment_.own_host())}};
  }
  /// Takes reports and answers them. Returns how long rank 0 may nap then.
  [[nodiscard]] Duration exchange();

 private:
  void settle(int host);
  void answer(int rank);

  const HostSegment& segment_;
  kernels::PaceClock& clock_;
  DecisionBoard decisions_;
  int cell_;
  Mailbox mailbox_;
  HostFloors floors_;
  struct Rank {
    std::int64_t given = 0;
    std::int64_t heard = 0;
    bool lost = false;
  };
  std::vector<Rank> ranks_;
  std::vector<bool> unsettled_;  ///< hosts that were given something
};

/// The part of a worker on another host than rank 0's. Any rank of a host may report for it, so
/// one that dies or is stopped leaves no gap.
class HostVoice {
 public:
  HostVoice(const MpiWorld& world, const HostSegment& segment, kernels::PaceClock& clock, int cell);

  /// Reports when it is time and follows the answer. Returns how long this rank may nap then.
  [[nodiscard]] Duration exchange();

 private:
  void follow_answers();
  void follow(const HostAnswer& answer);
  void let_clock_go_of_dead();

  const HostSegment& segment_;
  kernels::PaceClock& clock_;
  DecisionBoard decisions_;
  int cell_;
  Mailbox mailbox_;
  kernels::PaceClock::Report last_{.taken_up = -1};
  std::optional<WallInstant> asked_;  ///< when, while there is no answer
  WallInstant last_watch_{};
};

}  // namespace mimus::emulator
