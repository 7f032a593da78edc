// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/time.hpp"
#include "kernels/pacing/link_course.hpp"
#include "kernels/pacing/shared_lock.hpp"

namespace mimus::kernels {

/// The same for all members of a group, and different for every other group on the host.
struct ChannelName {
  std::int64_t attempt = 0;
  std::int64_t group = 0;  ///< of the attempt's ranks
  bool operator==(const ChannelName&) const = default;
};

/// The members of a channel, and the links that they use.
struct ChannelSpec {
  ChannelName name;
  int members = 1;             ///< on this host
  std::vector<LinkUse> links;  ///< of each kind of link, GPUs first
};

/// How long a transfer takes on idle links.
struct SoloTime {
  Duration on_links{};
  Duration latency{};  ///< before; others have the links meanwhile
};

/// The transfers on the emulated links of one host, in memory shared by its ranks. A group of ranks
/// has a channel, on which one transfer at a time is under way. A link is divided max-min
/// fairly among the transfers under way on it, and a transfer's rate is its narrowest share.
///
/// The beginning and end of a transfer depend only on emulated time, not on which rank looks first.
/// It begins when its last member is ready, and its end is final when no other group can begin a
/// transfer before that. So members say until when they will have nothing to transfer, and a rank
/// that reaches the end of a transfer waits for groups that are behind.
///
/// A lock protects the book. If a process dies while it holds the lock, the lock is released and at
/// most one transfer is left half advanced. A process that dies at another time may leave a
/// channel, which is removed with the GPU.
class LinkBook {
 public:
  [[nodiscard]] static std::size_t bytes_needed(int channels, int links);
  /// Over memory that is zero-filled (first user) or already in use by others, aligned to a cache
  /// line and outliving the book.
  LinkBook(std::span<std::byte> memory, int channels, int links);

  /// A channel that a member has opened; the first of its members makes it.
  struct Handle {
    int slot = -1;
    ChannelName name;
  };
  [[nodiscard]] Handle open(const ChannelSpec& spec);
  /// To be called by all members. The first to call it has seen the end of their last transfer, or
  /// its group is lost.
  void close(const Handle& channel) noexcept;

  /// While channel `before` is open, that of `group` begins no transfer before the members of
  /// `before` could begin their next one, whatever its own members say. Replaces what it followed.
  void follow(const ChannelName& group, const ChannelName& before) noexcept;

  /// A member has nothing to transfer that would be ready before `at`. Not while it awaits a
  /// transfer.
  void quiet_until(const Handle& channel, WallInstant at) noexcept;
  /// The group may have something to transfer from `at` on, although it was to be quiet for longer.
  void busy_from(const ChannelName& group, WallInstant at) noexcept;
  /// A member is ready for the channel's next transfer. Each member calls it once per transfer,
  /// after it has seen the end of the previous one.
  void announce(const Handle& channel, WallInstant ready, const SoloTime& solo);

  struct Transfer {
    bool under_way = false;  ///< all members are ready, so `end` is known
    bool final = false;      ///< nothing can change `end` any more
    WallInstant end{};  ///< no earlier than this; before it is under way, the bound of its begin
  };
  /// The state of the channel's transfer `number`, ascending from 1, at `now`.
  [[nodiscard]] Transfer look(const Handle& channel, std::int64_t number, WallInstant now);
  /// Whether another channel uses one of its links.
  [[nodiscard]] bool is_shared(const Handle& channel) const;

  /// The GPU is gone with the processes that served it, and so are their groups. It has the number
  /// of its link.
  void forget_gpu(int gpu) noexcept;
  /// Closes all channels. For use between two cells, when nothing runs.
  void reset() noexcept;

 private:
  /// Times in ns of the pace clock. Followed by a bit per link, and then by a load per link.
  struct Channel {
    ChannelName name;
    std::int32_t open;       ///< 0: free
    std::int32_t is_shared;  ///< another channel uses one of its links
    std::int32_t members;
    std::int32_t announced;  ///< members that are ready for the next transfer
    std::int32_t active;     ///< the next transfer is under way, or will be from `begin` on
    std::int32_t follows;    ///< another channel, `before`
    ChannelName before;
    std::int64_t ended;     ///< number of the last transfer that has ended
    std::int64_t end;       ///< of that
    std::int64_t ready;     ///< latest of the announcements
    std::int64_t quiet;     ///< earliest instant of what is not announced
    std::int64_t begin;     ///< of the active transfer on its links
    std::int64_t position;  ///< up to which it has been advanced
    double remaining;       ///< of it, as time on idle links
    /// Of the next transfer, which is not active: it needs all members, and the last one counts.
    [[nodiscard]] std::int64_t least_begin() const { return std::max({end, quiet, ready}); }
  };

  [[nodiscard]] Channel& channel(int slot) const;
  [[nodiscard]] std::uint64_t* links(int slot) const;
  [[nodiscard]] double* loads(int slot) const;
  [[nodiscard]] Channel* find(const Handle& handle) const;
  [[nodiscard]] bool uses(int slot, int link) const;
  [[nodiscard]] std::vector<LinkUse> links_of(int slot) const;
  [[nodiscard]] bool meet(int one, int other) const;
  [[nodiscard]] bool uses_any(int slot) const;
  [[nodiscard]] int free_slot() const;
  void make(int slot, const ChannelSpec& spec);
  void note_sharing() noexcept;
  [[nodiscard]] std::vector<LinkFlow> flows() const;
  [[nodiscard]] LinkFlow flow_of(int slot) const;
  [[nodiscard]] std::int64_t least_begin_of_idle() const;
  [[nodiscard]] std::int64_t least_begin(const Channel& idle) const;
  [[nodiscard]] std::int64_t least_end(const Channel& active) const;
  [[nodiscard]] Channel* find(const ChannelName& name) const;
  void settle(WallInstant now);
  [[nodiscard]] Transfer shared_transfer(int slot);
  static void end_transfer(Channel& channel, std::int64_t at);

  struct Header {
    SharedLock::Memory lock;
    std::int32_t used;  ///< slots from here on have never been open
  };
  int count_;
  int link_count_;
  Header* header_;
  std::byte* channels_;
  mutable SharedLock lock_;
};

}  // namespace mimus::kernels
