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

/// The same for all members of a group and for no other group on the host.
struct ChannelName {
  std::int64_t attempt = 0;
  std::int64_t group = 0;  ///< of the attempt's ranks
  bool operator==(const ChannelName&) const = default;
};

/// Who communicates, and over which links.
struct ChannelSpec {
  ChannelName name;
  int members = 1;         ///< on this host
  std::vector<int> gpus;   ///< of all members: whose links are used
  std::vector<int> nodes;  ///< whose uplinks are used; empty within one node
};

/// The transfers on the emulated links of one host, in memory shared by its ranks. A group of ranks
/// has a channel, on which one transfer at a time is under way. Links are divided evenly among the
/// transfers that are under way on them, and a transfer's rate is its narrowest share.
///
/// When a transfer begins and ends follows from emulated time only, and not from who looks first:
/// it begins when its last member is ready, and an end is final when no other group can begin a
/// transfer before that. So members say up to when they will have nothing to transfer, and who has
/// come to the end of a transfer waits for groups that are behind.
///
/// A lock protects the book. Who dies with it gives it back, and leaves at most one transfer half
/// moved on; who dies otherwise may leave a channel, which goes with the GPU.
class LinkBook {
 public:
  [[nodiscard]] static std::size_t bytes_needed(int channels, int gpus, int nodes);
  /// Over memory that is zero-filled (first user) or in use by others already, aligned to a cache
  /// line and outliving the book.
  LinkBook(std::span<std::byte> memory, int channels, int gpus, int nodes);

  /// A channel that a member has opened; the first of its members makes it.
  struct Handle {
    int slot = -1;
    ChannelName name;
  };
  [[nodiscard]] Handle open(const ChannelSpec& spec);
  /// For all members: who goes first has seen the end of their last transfer, or its group is lost.
  void close(const Handle& channel) noexcept;

  /// A member has nothing to transfer that would be ready before `at`. Not while it awaits a
  /// transfer.
  void quiet_until(const Handle& channel, WallInstant at) noexcept;
  /// A member is ready for the channel's next transfer, which takes `solo` on idle links. To be
  /// called by each member once per transfer, when it has seen the end of the one before.
  void announce(const Handle& channel, WallInstant ready, Duration solo);

  struct Transfer {
    bool under_way = false;  ///< all members are ready, so `end` is known
    bool final = false;      ///< nothing can change `end` any more
    WallInstant end{};       ///< no earlier than this; before it is under way, of its begin
  };
  /// What has become of the channel's transfer `number`, ascending from 1, at `now`.
  [[nodiscard]] Transfer look(const Handle& channel, std::int64_t number, WallInstant now);
  /// Whether another channel uses one of its links.
  [[nodiscard]] bool is_shared(const Handle& channel) const;

  /// The GPU is gone with the processes that served it, and so are the groups that they were in.
  void forget_gpu(int gpu) noexcept;
  /// Closes all channels: between two cells, when nothing runs.
  void reset() noexcept;

 private:
  /// Times in ns of the pace clock. Followed by a bit per GPU and node.
  struct Channel {
    ChannelName name;
    std::int32_t open;       ///< 0: free
    std::int32_t is_shared;  ///< another channel uses one of its links
    std::int32_t members;
    std::int32_t announced;  ///< members that are ready for the next transfer
    std::int32_t active;     ///< the next transfer is under way, or will be from `begin` on
    std::int32_t padding;
    std::int64_t ended;     ///< number of the last transfer that has ended
    std::int64_t end;       ///< of that
    std::int64_t ready;     ///< latest of the announcements
    std::int64_t quiet;     ///< least instant of what is not announced
    std::int64_t begin;     ///< of the active transfer
    std::int64_t position;  ///< up to which it has been moved on
    double remaining;       ///< of it, as time on idle links
    /// Of the next transfer, which is not active: it takes all members, and the last one counts.
    [[nodiscard]] std::int64_t least_begin() const { return std::max({end, quiet, ready}); }
  };

  [[nodiscard]] Channel& channel(int slot) const;
  [[nodiscard]] std::uint64_t* links(int slot) const;
  [[nodiscard]] Channel* find(const Handle& handle) const;
  [[nodiscard]] std::vector<int> links_of(int slot) const;
  [[nodiscard]] bool meet(int one, int other) const;
  [[nodiscard]] int free_slot() const;
  void make(int slot, const ChannelSpec& spec);
  void note_sharing() noexcept;
  [[nodiscard]] std::vector<LinkFlow> flows() const;
  [[nodiscard]] LinkFlow flow_of(int slot) const;
  [[nodiscard]] std::int64_t least_begin_of_idle() const;
  void settle();
  [[nodiscard]] Transfer shared_transfer(int slot);
  static void end_transfer(Channel& channel, std::int64_t at);

  struct Header {
    SharedLock::Memory lock;
    std::int32_t used;  ///< slots from here on have never been open
  };
  int count_;
  int gpus_;
  int nodes_;
  Header* header_;
  std::byte* channels_;
  mutable SharedLock lock_;
};

}  // namespace mimus::kernels
