// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <nccl.h>
#include <optional>
#include <tuple>

#include "base/time.hpp"
#include "kernels/launch/launch.hpp"
#include "kernels/nccl/nccl_communicator.hpp"

namespace mimus::kernels {

/// An operation as passed to NCCL.
struct NcclOperation {
  CollectiveOp op = CollectiveOp::all_reduce;
  const void* send = nullptr;
  void* receive = nullptr;
  std::int64_t bytes = 0;  ///< as in StreamCollective::enqueue()
  Arithmetic arithmetic = Arithmetic::fp32;
};

/// The member that calls NCCL.
struct NcclMember {
  int device = 0;
  int rank = 0;
  int size = 1;
  ncclComm_t communicator = nullptr;
};

/// Calls the NCCL function; sends and receives of send_recv and of an all-to-all are one group.
[[nodiscard]] ncclResult_t call_nccl(const NcclOperation& operation, int rank, int size,
                                     ncclComm_t communicator, cudaStream_t stream);

/// NCCL's own estimates (ncclGroupSimulateEnd) of the time of operations. They come from a second,
/// blocking communicator. With a non-blocking one, NCCL 2.28 to 2.31 pass the group to a thread
/// that does not know of the simulation and runs it; and a simulated operation stays in the
/// communicator's queue.
class NcclEstimates {
 public:
  /// All members make theirs together, once `communicator` is ready.
  explicit NcclEstimates(NcclCommunicator& communicator);
  ~NcclEstimates();
  NcclEstimates(const NcclEstimates&) = delete;
  NcclEstimates& operator=(const NcclEstimates&) = delete;

  /// Nothing for all_to_all, send_recv and transfer, for which NCCL has no model, and for one
  /// member. The first call for a kind and size waits until all members have made it, and throws
  /// PeerLostError when that takes longer than the communicator's deadline. It may not be made
  /// while this thread captures a stream, because it allocates; `known()` may.
  [[nodiscard]] std::optional<Duration> estimate(const NcclOperation& operation,
                                                 cudaStream_t stream);
  [[nodiscard]] std::optional<Duration> known(const NcclOperation& operation) const;

 private:
  [[nodiscard]] std::optional<Duration> simulate_in_time(const NcclOperation& operation,
                                                         cudaStream_t stream);

  using Key = std::tuple<CollectiveOp, std::int64_t, Arithmetic>;
  [[nodiscard]] static Key key_of(const NcclOperation& operation);

  NcclMember member_;
  Duration deadline_;
  std::map<Key, std::optional<Duration>> estimates_;
};

}  // namespace mimus::kernels
