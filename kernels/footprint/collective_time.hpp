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
};

enum class CollectiveOp {
  all_reduce,
  broadcast,
  all_gather,
  reduce_scatter,
  send_recv,  ///< to the next of a ring, from the previous one
  transfer,   ///< of two members, from the first to the second
};

/// Bytes that cross the narrowest link when `replicas` ranks run `op` on `size` bytes each in a
/// bandwidth-optimal ring: all-reduce 2(n−1)/n·S, all-gather and reduce-scatter (n−1)/n·S,
/// broadcast, send/recv and transfer S (Patarasuk and Yuan, 2009; nccl-tests PERFORMANCE.md).
[[nodiscard]] Bytes ring_volume(CollectiveOp op, Bytes size, int replicas);
/// Ring steps of these operations: 2(n−1), n−1, n−1, n−1, 1, 1.
[[nodiscard]] int ring_steps(CollectiveOp op, int replicas);
/// Solo time: steps × latency + volume ÷ bandwidth; zero for one replica.
[[nodiscard]] Duration collective_time(CollectiveOp op, Bytes size, int replicas,
                                       const GangLink& link);

}  // namespace mimus::kernels
