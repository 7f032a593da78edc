// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "kernels/footprint_plan.hpp"

namespace mimus::kernels {

Bytes ring_volume(CollectiveOp op, Bytes size, int replicas) {
  const double n = replicas;
  switch (op) {
    case CollectiveOp::all_reduce:
      return 2.0 * (n - 1.0) / n * size;
    case CollectiveOp::all_gather:
    case CollectiveOp::reduce_scatter:
      return (n - 1.0) / n * size;
    case CollectiveOp::broadcast:
    case CollectiveOp::send_recv:
      return size;
  }
  throw InternalError("unknown collective");
}

int ring_steps(CollectiveOp op, int replicas) {
  if (op == CollectiveOp::all_reduce) return 2 * (replicas - 1);
  return op == CollectiveOp::send_recv ? 1 : replicas - 1;
}

Duration collective_time(CollectiveOp op, Bytes size, int replicas, const GangLink& link) {
  if (replicas < 2 || size.value <= 0.0) return Duration{};
  return ring_steps(op, replicas) * link.latency + ring_volume(op, size, replicas) / link.bandwidth;
}

}  // namespace mimus::kernels
