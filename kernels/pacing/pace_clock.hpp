// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "base/time.hpp"

namespace mimus::kernels {

/// The clock that everything paced goes by: emulated time is its time × time_scale. It runs with
/// the wall clock, but waits for members that are behind with their work. So what is emulated does
/// not depend on how busy the host is; a busy host takes longer. Or it does not run at all, and is
/// always as far as its members let it be.
///
/// Its books lie in memory shared by the ranks of a host. A member that works promises up to which
/// instant it has nothing to do, and the clock goes no further than the least promise and a small
/// window. Member 0 schedules: messages to it hold the clock until it has read them. Everything is
/// a single atomic word: a process that dies holds no lock, and who notices its death takes its
/// promise back. No thread drives the clock: each reader works out how far it may be.
///
/// Where the world has several hosts, each has a clock of its own that shows the time of member 0's
/// host. Members say what it is to tell the others (report()), and how far those let it go
/// (follow).
class PaceClock {
 public:
  enum class Kind {
    wall,     ///< waits for nobody: for devices that take the time they take
    waiting,  ///< for members that are behind
    unbound,  ///< by the wall clock: as fast as the members let it
  };
  /// How far a waiting clock may be ahead of a member. Wake-ups of a host that keeps up are mostly
  /// late by less; it is a quarter of a turn on a GPU, as a collective takes some wake-ups, and
  /// who comes a turn late to a GPU with several tenants has lost it.
  static constexpr Duration kWindow = std::chrono::microseconds{500};

  /// What the other hosts are to know of this one, which is true together: what it has taken up,
  /// how far it is then, and what it has told member 0 of up to there.
  struct Report {
    std::int64_t taken_up = 0;  ///< how often its members took up what they were assigned
    std::int64_t least_ns = 0;  ///< least promise; the end of time while no member works
    std::int64_t told = 0;      ///< how often its members have told member 0 something
    bool operator==(const Report&) const = default;
    [[nodiscard]] bool works() const { return least_ns != kWallEnd; }
  };
  static constexpr std::int64_t kWallEnd = INT64_MAX;

  /// Bytes of shared memory for the ranks of a world of this size.
  [[nodiscard]] static std::size_t bytes_needed(int members);

  /// The wall clock.
  PaceClock() = default;
  /// For member `own`, over memory that is zero-filled (first user) or in use by others already,
  /// aligned to a cache line and outliving the clock. `away`: member 0 is on another host.
  PaceClock(Kind kind, std::span<std::byte> memory, int members, int own, bool away = false);

  /// Begins with the wall clock and `offset`, and without members; an unbound clock where it was,
  /// if that is later. Others may still leave what they did before, and do nothing else. Away from
  /// member 0 the clock goes nowhere before it is to follow.
  void reset(Duration offset = {}) noexcept;

  [[nodiscard]] bool waits() const { return kind_ != Kind::wall; }
  /// Never goes back, for one process.
  [[nodiscard]] WallInstant now();
  /// Sleeps a little, until `wake` at most, having promised to do nothing before. Returns early
  /// when the clock waits for others: who polls for messages goes on polling.
  void nap_until(WallInstant wake) { nap_until(wake, wake); }
  /// The same for one who will wake before it has anything to do.
  void nap_until(WallInstant wake, WallInstant promised);
  /// For one who waits for a message that may be on its way: while it is, even a clock that is
  /// unbound goes with the wall clock, so that the message comes no later on it.
  void nap_for_message(WallInstant wake);
  /// What is to be done before each nap; it says how long the nap may be.
  void set_errand(std::function<Duration()> errand) { errand_ = std::move(errand); }
  void run_errand();

  /// From here on there is nothing to do before `instant`. Makes the caller a working member.
  void promise(WallInstant instant) noexcept;
  /// The caller has nothing to do at all until it is given something.
  void leave() noexcept;
  /// `member` has been given something to do from `at` on; the clock waits until it takes it up.
  void assign(int member, WallInstant at) noexcept;
  /// The caller takes up what it was assigned at `at`.
  void take_up(WallInstant at) noexcept;
  /// The caller is about to tell member 0 what has happened at `at`, and the clock waits until
  /// member 0 has heard() that.
  void tell(WallInstant at) noexcept;
  void heard(int member) noexcept;
  [[nodiscard]] Report report() const;
  /// Least promise of the members of this host but the caller, with what they have told member 0
  /// and it has not heard; the far future while none of them works.
  [[nodiscard]] WallInstant least_of_others() const;
  /// The other hosts are so far that this one may go to `ceiling`, or as far as they said before;
  /// at member 0 it is `now`.
  void follow(WallInstant ceiling, WallInstant now) noexcept;
  /// On member 0's host, which is the one that knows: it may be less than before.
  void set_ceiling(WallInstant ceiling) noexcept;
  /// `member`, of another host, has taken up what it was assigned.
  void settle(int member) noexcept;
  /// True for one caller on this host per `interval` of wall time.
  [[nodiscard]] bool claim_report(Duration interval) noexcept;
  /// `member` is dead: nothing waits for it, and reports leave out what it did.
  void forget(int member) noexcept;

  /// How far the clock is behind the wall clock since reset(); nothing where it is unbound.
  [[nodiscard]] Duration held() const;
  /// Wall time for which a process that looked at it has seen this clock stand still.
  [[nodiscard]] Duration stuck() const { return stuck_; }
  /// The member that the clock waits for; none when it is another host's.
  [[nodiscard]] std::optional<int> slowest() const;

 private:
  struct Shared {
    /// The wall clock less this is the time; of an unbound clock the time itself.
    std::atomic<std::int64_t> state_ns;
    std::atomic<std::int64_t> ceiling_ns;   ///< set by other hosts; 0 for none
    std::atomic<std::int64_t> reported_ns;  ///< wall time of the last report to them
    char padding[40];
  };
  /// Times in ns; 0 for none.
  struct Member {
    std::atomic<std::int64_t> promised;
    std::atomic<std::int64_t> assigned;
    std::atomic<std::int64_t> taken_up;  ///< counts what was assigned up to here as taken up
    std::atomic<std::int64_t> takes;     ///< how often it took something up
    std::atomic<std::int64_t> told_at;   ///< the first that member 0 has not heard
    std::atomic<std::int64_t> told;      ///< how often
    std::atomic<std::int64_t> heard;     ///< of these, on member 0's host
    std::atomic<std::int64_t> dead;      ///< 1: it counts in no report
  };
  static_assert(std::atomic<std::int64_t>::is_always_lock_free);
  static_assert(sizeof(Shared) == 64 && sizeof(Member) == 64);

  [[nodiscard]] std::int64_t promise_of(const Member& member) const;
  [[nodiscard]] std::int64_t least_promise() const;
  [[nodiscard]] std::int64_t limit() const;
  [[nodiscard]] std::int64_t waiting_now();
  [[nodiscard]] std::int64_t unbound_now();
  void watch(WallInstant value);
  [[nodiscard]] Duration nap_for(Duration ahead) const;
  void sleep(Duration length) const;

  Kind kind_ = Kind::wall;
  Shared* shared_ = nullptr;
  std::span<Member> members_;
  int own_ = 0;
  bool away_ = false;
  std::function<Duration()> errand_;
  WallInstant last_{};    ///< what now() said last
  WallInstant looked_{};  ///< wall time of that
  Duration stuck_{};
  bool held_ = false;  ///< a member, not the wall clock, decided on last_
  Duration longest_nap_{};
};

/// A working member of a clock for a scope.
class WorkingMember {
 public:
  /// Takes up what was assigned at `at`.
  WorkingMember(PaceClock& clock, WallInstant at) : clock_(clock) { clock_.take_up(at); }
  WorkingMember(const WorkingMember&) = delete;
  WorkingMember& operator=(const WorkingMember&) = delete;
  ~WorkingMember() { clock_.leave(); }

 private:
  PaceClock& clock_;
};

}  // namespace mimus::kernels
