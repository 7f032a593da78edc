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

/// The clock of all pacing: emulated time is its time × time_scale. It runs with the wall clock,
/// but waits for members that are behind with their work. What is emulated therefore does not
/// depend on how busy the host is; a busy host takes longer. An unbound clock does not run by
/// itself, and is always as far as its members allow.
///
/// Its accounts are in memory shared by the ranks of a host. A working member promises until which
/// instant it has nothing to do, and the clock advances at most a small window beyond the earliest
/// promise. Member 0 schedules: messages to it hold the clock until it has read them. Every account
/// is a single atomic word, so a process that dies holds no lock, and the process that notices its
/// death removes its promise. No thread drives the clock: each reader computes how far it may be.
///
/// If the world has several hosts, each has its own clock that shows the time of member 0's host.
/// Members report what it has to tell the others (report()), and how far those let it go (follow).
class PaceClock {
 public:
  enum class Kind {
    wall,     ///< waits for no rank, for devices that are not paced
    waiting,  ///< for members that are behind
    unbound,  ///< independent of the wall clock: as fast as the members allow
  };
  /// How far a waiting clock may be ahead of a member. Wake-ups of a host that keeps up are mostly
  /// less late than this. It is a quarter of a turn on a GPU: a collective takes several wake-ups,
  /// and a process that comes a turn late to a GPU with several tenants has lost it.
  static constexpr Duration kWindow = std::chrono::microseconds{500};
  /// Members have reported everything that happened this long before the instant that they promise.
  /// What follows from an event may take effect this much later, so it is short.
  static constexpr Duration kHaveTold = std::chrono::milliseconds{2};

  /// What the other hosts need to know of this one; the values hold together: what it has taken up,
  /// how far it is then, and what it has told member 0 up to there.
  struct Report {
    std::int64_t taken_up = 0;  ///< how often its members took up assigned work
    std::int64_t least_ns = 0;  ///< earliest promise; the end of time while no member works
    std::int64_t told = 0;      ///< how often its members have told member 0 something
    bool operator==(const Report&) const = default;
    [[nodiscard]] bool works() const { return least_ns != kWallEnd; }
  };
  static constexpr std::int64_t kWallEnd = INT64_MAX;

  /// Bytes of shared memory for the ranks of a world of this size.
  [[nodiscard]] static std::size_t bytes_needed(int members);

  /// The wall clock.
  PaceClock() = default;
  /// For member `own`, over memory that is zero-filled (first user) or already in use by others,
  /// aligned to a cache line and outliving the clock. `away`: member 0 is on another host.
  PaceClock(Kind kind, std::span<std::byte> memory, int members, int own, bool away = false);

  /// Begins at the wall clock and `offset`, without members; an unbound clock at its own time, if
  /// that is later. Meanwhile others may call leave() for earlier work, and nothing else. Away from
  /// member 0 the clock does not advance before follow().
  void reset(Duration offset = {}) noexcept;

  [[nodiscard]] bool waits() const { return kind_ != Kind::wall; }
  /// Never goes back, for one process.
  [[nodiscard]] WallInstant now();
  /// Sleeps briefly, until `wake` at most, after promising to do nothing before. Returns early
  /// while the clock waits for others, so that a caller that polls for messages goes on polling.
  void nap_until(WallInstant wake) { nap_until(wake, wake); }
  /// The same for a caller that will wake before it has anything to do.
  void nap_until(WallInstant wake, WallInstant promised);
  /// For a caller that waits for a message that may be under way. Meanwhile even an unbound clock
  /// goes with the wall clock, so that the message is not later on it.
  void nap_for_message(WallInstant wake);
  /// A function to be called before each nap; it returns how long the nap may be.
  void set_errand(std::function<Duration()> errand) { errand_ = std::move(errand); }
  void run_errand();

  /// From here on there is nothing to do before `instant`. Makes the caller a working member.
  void promise(WallInstant instant) noexcept;
  /// The caller has nothing to do at all until it is given something.
  void leave() noexcept;
  /// `member` has been given something to do from `at` on; the clock waits until it takes it up.
  void assign(int member, WallInstant at) noexcept;
  /// The caller takes up the work that was assigned for `at`.
  void take_up(WallInstant at) noexcept;
  /// The caller is about to tell member 0 what happened at `at`. The clock waits until member 0 has
  /// called heard() for it.
  void tell(WallInstant at) noexcept;
  void heard(int member) noexcept;
  [[nodiscard]] Report report() const;
  /// Earliest promise of this host's members except member 0, including what they have told member
  /// 0 and it has not heard; the far future while none of them works.
  [[nodiscard]] WallInstant least_of_workers() const;
  /// Member 0 has heard everything that happened on this host before then.
  [[nodiscard]] WallInstant told_until() const { return told_before(least_of_workers()); }
  [[nodiscard]] static WallInstant told_before(WallInstant promise) {
    return promise == WallInstant::max() ? promise : promise - kHaveTold;
  }
  /// The least promise of all members with which member 0 has heard everything before `at`.
  [[nodiscard]] static WallInstant told_by(WallInstant at) {
    return at == WallInstant::max() ? at : at + kHaveTold;
  }
  /// The other hosts allow this one to go to `ceiling`, or to an earlier, higher limit; at member 0
  /// it is `now`.
  void follow(WallInstant ceiling, WallInstant now) noexcept;
  /// On member 0's host, which knows the limit: it may be lower than before.
  void set_ceiling(WallInstant ceiling) noexcept;
  /// `member`, of another host, has taken up its assigned work.
  void settle(int member) noexcept;
  /// True for one caller on this host per `interval` of wall time.
  [[nodiscard]] bool claim_report(Duration interval) noexcept;
  /// `member` is dead: nothing waits for it, and reports leave out what it did.
  void forget(int member) noexcept;

  /// How far the clock is behind the wall clock since reset(); nothing if it is unbound.
  [[nodiscard]] Duration held() const;
  /// Wall time during which a process that polled it has seen this clock stand still.
  [[nodiscard]] Duration stuck() const { return stuck_; }
  /// The member that the clock waits for; none if it waits for another host.
  [[nodiscard]] std::optional<int> slowest() const;

 private:
  struct Shared {
    /// The time is the wall clock minus this; for an unbound clock it is the time itself.
    std::atomic<std::int64_t> state_ns;
    std::atomic<std::int64_t> ceiling_ns;   ///< set by other hosts; 0 for none
    std::atomic<std::int64_t> reported_ns;  ///< wall time of the last report to them
    char padding[40];
  };
  /// Times in ns; 0 for none.
  struct Member {
    std::atomic<std::int64_t> promised;
    std::atomic<std::int64_t> assigned;
    std::atomic<std::int64_t> taken_up;  ///< work assigned up to here counts as taken up
    std::atomic<std::int64_t> takes;     ///< how often it took up work
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
  WallInstant last_{};    ///< last result of now()
  WallInstant looked_{};  ///< wall time of that
  Duration stuck_{};
  bool held_ = false;  ///< a member, not the wall clock, determined last_
  Duration longest_nap_{};
};

/// Makes a member of a clock a working one for a scope.
class WorkingMember {
 public:
  /// Takes up the work assigned for `at`.
  WorkingMember(PaceClock& clock, WallInstant at) : clock_(clock) { clock_.take_up(at); }
  WorkingMember(const WorkingMember&) = delete;
  WorkingMember& operator=(const WorkingMember&) = delete;
  ~WorkingMember() { clock_.leave(); }

 private:
  PaceClock& clock_;
};

}  // namespace mimus::kernels
