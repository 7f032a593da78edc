// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/time.hpp"
#include "kernels/footprint/footprint_plan.hpp"
#include "kernels/pacing/link_book.hpp"

namespace mimus::kernels {

/// The links of a gang's ring, and the book in which they are shared.
struct GangRoute {
  GangLink link;
  ChannelSpec channel;
  /// Whether all members see the same book. Otherwise members learn from messages when all are
  /// ready, and do not delay gangs that share their links.
  bool one_host = true;
};

/// Paces one transfer at a time to the gang's links, as one of its members.
class LinkPacer {
 public:
  LinkPacer(LinkBook& book, GangRoute route);
  LinkPacer(const LinkPacer&) = delete;
  LinkPacer& operator=(const LinkPacer&) = delete;
  ~LinkPacer();

  /// This member is ready at `at` for a transfer that takes `solo` of wall time on idle links.
  void begin(WallInstant at, const SoloTime& solo);
  /// Advances it to `now`; true once it is complete, with end() at the exact moment.
  [[nodiscard]] bool advance(WallInstant now);
  [[nodiscard]] WallInstant end() const { return last_.end; }
  /// Whether at the last advance() the other members were ready, too.
  [[nodiscard]] bool under_way() const { return last_.under_way; }
  /// When it ends if nothing else comes; it cannot end earlier. Only if it is under way.
  [[nodiscard]] WallInstant predicted_end() const { return last_.end; }

  /// It ends no earlier than this, whether or not it is under way; as of the last advance().
  [[nodiscard]] WallInstant no_earlier() const {
    return last_.under_way ? last_.end : last_.end + solo_;
  }

  /// Nothing will begin before the members of channel `before` could begin their next transfer.
  void follow(const ChannelName& before) { book_.follow(channel_.name, before); }
  /// Nothing will begin before `at`. Not while a transfer has begun.
  void quiet_until(WallInstant at);
  /// Transfers may begin from `at` on, although there were to be none for longer.
  void busy_from(WallInstant at);
  [[nodiscard]] bool is_shared() const { return book_.is_shared(channel_); }
  [[nodiscard]] const GangRoute& route() const { return route_; }

 private:
  LinkBook& book_;
  GangRoute route_;
  LinkBook::Handle channel_;
  std::int64_t number_ = 0;
  Duration solo_{};
  LinkBook::Transfer last_;
};

}  // namespace mimus::kernels
