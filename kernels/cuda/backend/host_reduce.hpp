// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "kernels/footprint/footprint_plan.hpp"
#include "kernels/launch/launch.hpp"

namespace mimus::kernels {

/// Moves data between the members of a gang on the host, one piece at a time. Nothing blocks.
class HostReduce {
 public:
  HostReduce() = default;
  HostReduce(const HostReduce&) = delete;
  HostReduce& operator=(const HostReduce&) = delete;
  virtual ~HostReduce() = default;
  /// Begins `op` on `data`, in place. All-reduce leaves the sum. All-gather fills the rows of the
  /// other ranks; `data` has one row per rank. Reduce-scatter leaves this rank's row of the sum.
  /// All-to-all sends each row to the rank of its number and leaves the rows of all ranks for this
  /// one. send_recv leaves the previous rank's data. Transfer leaves rank 0's data on rank 1.
  virtual void begin(CollectiveOp op, std::span<std::byte> data, Arithmetic arithmetic) = 0;
  /// Whether it has ended; also advances it.
  [[nodiscard]] virtual bool finished() = 0;
};

}  // namespace mimus::kernels
