// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cuda_runtime_api.h>
#include <optional>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "kernels/collective.hpp"
#include "kernels/cuda/collective/collective_bandwidth.hpp"
#include "kernels/launch/launch.hpp"

namespace mimus::kernels::cuda {

/// One communication operation as the device timed it.
struct TimedOperation {
  CollectiveOp op = CollectiveOp::all_reduce;
  std::int64_t bytes = 0;
  Duration measured{};
  std::optional<Duration> estimated;  ///< by the library's own model
  CollectiveBandwidth bandwidth;
};

/// Communication that the device orders by itself: operations run one after another on a stream of
/// their own, each after an event of the compute stream.
class StreamCollective : public Collective {
 public:
  /// A description for people and results, e.g. "NCCL 2.28.9" or "emulated ring of 8".
  [[nodiscard]] virtual std::string description() const = 0;

  /// Appends an operation; the device begins it once `after` has been passed. `bytes` is the larger
  /// of the two buffers, as in nccl-tests: the data of all-reduce and broadcast, the result of
  /// all-gather, the input of reduce-scatter, both of all-to-all. Both buffers may be the same,
  /// except for all-to-all and for send_recv, which passes `send` to the next rank of the ring and
  /// receives that of the previous one. All-to-all passes the n-th part of `send` to rank n.
  /// Reductions are sums. The broadcast is from rank 0. In a transfer the first of the two members
  /// only sends and the second only receives; both pass both buffers.
  virtual void enqueue(CollectiveOp op, const void* send, void* receive, std::int64_t bytes,
                       Arithmetic arithmetic, cudaEvent_t after) = 0;
  /// Recorded after the last operation. Work that needs its result waits for it on the device.
  [[nodiscard]] virtual cudaEvent_t done() = 0;
  /// How long a peer may keep an operation waiting. Code that replays operations from a graph has
  /// to watch it, because check() does not see those.
  [[nodiscard]] virtual Duration deadline() const = 0;
  /// Whether operations occupy a driver thread that all streams share. Two such collectives in one
  /// process would wait for each other.
  [[nodiscard]] virtual bool holds_driver_thread() const { return false; }
  /// Advances the host's part; call it at least every few milliseconds while operations are under
  /// way. Throws PeerLostError when a member is gone or an operation has lasted longer than the
  /// deadline.
  virtual void check(WallInstant now) = 0;
  /// Operations that have ended since the last call. Those captured into a graph are timed again at
  /// each of its launches: call it once per launch.
  [[nodiscard]] virtual std::vector<TimedOperation> take_timings() = 0;
};

}  // namespace mimus::kernels::cuda
