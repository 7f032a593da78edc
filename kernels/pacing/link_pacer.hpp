// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "base/time.hpp"
#include "kernels/footprint_plan.hpp"
#include "kernels/pacing/ledger.hpp"

namespace mimus::kernels {

/// The links a gang's ring runs over, and which of the shared accounts this rank keeps.
struct GangRoute {
  GangLink link;
  std::vector<int> gpus;          ///< of all members, in rank order
  std::vector<int> nodes;         ///< distinct nodes of the gang; empty within one node
  int own_gpu = 0;                ///< this rank's
  std::optional<int> own_uplink;  ///< node whose uplink this rank answers for: first rank on it
};

/// Paces one transfer at a time to the gang's narrowest link. Its rate is the link's share: a node
/// uplink, and the links of a GPU with several tenants, are divided evenly among the transfers
/// that are under way on them. Progress is integrated between calls.
class LinkPacer {
 public:
  LinkPacer(Ledger& ledger, GangRoute route);
  LinkPacer(const LinkPacer&) = delete;
  LinkPacer& operator=(const LinkPacer&) = delete;
  ~LinkPacer();

  /// Begins a transfer of `solo` wall time on an otherwise idle link, at `at`.
  void begin(WallInstant at, Duration solo);
  /// Moves it to `now`; true once it is complete, with end() at the exact moment.
  [[nodiscard]] bool advance(WallInstant now);
  [[nodiscard]] WallInstant end() const { return position_; }
  /// When it ends if nothing else changes.
  [[nodiscard]] WallInstant predicted_end() const;
  [[nodiscard]] const GangRoute& route() const { return route_; }

 private:
  [[nodiscard]] double share() const;
  void occupy(int change) noexcept;

  Ledger& ledger_;
  GangRoute route_;
  bool active_ = false;
  WallInstant position_{};
  Duration remaining_{};
  double last_share_ = 1.0;
};

}  // namespace mimus::kernels
