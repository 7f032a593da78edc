// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/time.hpp"
#include "base/units.hpp"

namespace mimus::kernels {

/// The narrowest link that every ring step of a gang's collectives has to cross.
struct GangLink {
  BytesPerSecond bandwidth{};  ///< per direction
  Duration latency{};          ///< per ring step
  bool crosses_nodes = false;  ///< so the traffic of others may share it
  /// How often it carries what one member sends in an all-to-all. A ring enters and leaves a node
  /// once, but in an all-to-all every member on a node sends to every member elsewhere: with g of p
  /// members on a node, its uplink carries g(p−g) messages where one member sends p−1.
  double exchange_load = 1.0;
};

enum class CollectiveOp {
  all_reduce,
  broadcast,
  all_gather,
  reduce_scatter,
  all_to_all,  ///< a part of the data to every member, as in a distributed transpose
  send_recv,   ///< to the next of a ring, from the previous one
  transfer,    ///< of two members, from the first to the second
};

/// Bytes that cross the narrowest link when `replicas` ranks run `op` on `size` bytes each in a
/// bandwidth-optimal ring: all-reduce 2(n−1)/n·S, all-gather and reduce-scatter (n−1)/n·S,
/// broadcast, send/recv and transfer S (Patarasuk and Yuan, 2009; nccl-tests PERFORMANCE.md). An
/// all-to-all is a pairwise exchange of n−1 messages of S/n, (n−1)/n·S in all (Thakur, Rabenseifner
/// and Gropp, 2005: long messages).
[[nodiscard]] Bytes ring_volume(CollectiveOp op, Bytes size, int replicas);
/// The same on a gang's link, which may carry the messages of several members (`exchange_load`).
[[nodiscard]] Bytes link_volume(CollectiveOp op, Bytes size, int replicas, const GangLink& link);
/// Steps of these operations: 2(n−1), n−1, n−1, n−1, n−1, 1, 1.
[[nodiscard]] int ring_steps(CollectiveOp op, int replicas);
/// Steps × latency, for which nothing is on the link; zero for one replica.
[[nodiscard]] Duration collective_latency(CollectiveOp op, Bytes size, int replicas,
                                          const GangLink& link);
/// Solo time: collective_latency() + link_volume() ÷ bandwidth; zero for one replica.
[[nodiscard]] Duration collective_time(CollectiveOp op, Bytes size, int replicas,
                                       const GangLink& link);

}  // namespace mimus::kernels
