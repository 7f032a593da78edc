// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/footprint/collective_time.hpp"

#include "base/error.hpp"

namespace mimus::kernels {

Bytes ring_volume(CollectiveOp op, Bytes size, int replicas) {
  const double n = replicas;
  switch (op) {
    case CollectiveOp::all_reduce:
      return 2.0 * (n - 1.0) / n * size;
    case CollectiveOp::all_gather:
    case CollectiveOp::reduce_scatter:
    case CollectiveOp::all_to_all:
      return (n - 1.0) / n * size;
    case CollectiveOp::broadcast:
    case CollectiveOp::send_recv:
    case CollectiveOp::transfer:
      return size;
  }
  throw InternalError("unknown collective");
}

Bytes link_volume(CollectiveOp op, Bytes size, int replicas, const GangLink& link) {
  const Bytes volume = ring_volume(op, size, replicas);
  return op == CollectiveOp::all_to_all ? link.exchange_load * volume : volume;
}

int ring_steps(CollectiveOp op, int replicas) {
  if (op == CollectiveOp::all_reduce) return 2 * (replicas - 1);
  if (op == CollectiveOp::send_recv || op == CollectiveOp::transfer) return 1;
  return replicas - 1;
}

Duration collective_latency(CollectiveOp op, Bytes size, int replicas, const GangLink& link) {
  if (replicas < 2 || size.value <= 0.0) return Duration{};
  return ring_steps(op, replicas) * link.latency;
}

Duration collective_time(CollectiveOp op, Bytes size, int replicas, const GangLink& link) {
  if (replicas < 2 || size.value <= 0.0) return Duration{};
  return collective_latency(op, size, replicas, link) +
         link_volume(op, size, replicas, link) / link.bandwidth;
}

}  // namespace mimus::kernels
