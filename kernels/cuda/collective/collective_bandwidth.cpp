// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/collective/collective_bandwidth.hpp"

#include "base/error.hpp"

namespace mimus::kernels {
namespace {

double bus_factor(CollectiveOp op, int replicas) {
  const double n = replicas;
  switch (op) {
    case CollectiveOp::all_reduce:
      return 2.0 * (n - 1.0) / n;
    case CollectiveOp::all_gather:
    case CollectiveOp::reduce_scatter:
    case CollectiveOp::all_to_all:
      return (n - 1.0) / n;
    case CollectiveOp::broadcast:
    case CollectiveOp::send_recv:
    case CollectiveOp::transfer:
      return 1.0;
  }
  throw InternalError("unknown collective operation");
}

}  // namespace

CollectiveBandwidth collective_bandwidth(CollectiveOp op, Bytes size, int replicas, Duration time) {
  if (time <= Duration{}) return {};
  const BytesPerSecond algorithm{size.value / to_seconds(time)};
  return {algorithm, algorithm * bus_factor(op, replicas)};
}

}  // namespace mimus::kernels
