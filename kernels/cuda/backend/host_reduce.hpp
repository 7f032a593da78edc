// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "kernels/footprint/footprint_plan.hpp"
#include "kernels/launch/launch.hpp"

namespace mimus::kernels {

/// What moves data between the members of a gang on the host, one piece at a time. Nothing blocks.
class HostReduce {
 public:
  HostReduce() = default;
  HostReduce(const HostReduce&) = delete;
  HostReduce& operator=(const HostReduce&) = delete;
  virtual ~HostReduce() = default;
  /// Begins `op` on `data`, in place: all-reduce leaves the sum; all-gather fills the rows of the
  /// other ranks, of which `data` has one per rank; reduce-scatter leaves this rank's row of the
  /// sum; send_recv leaves what the previous rank had, transfer what rank 0 had on rank 1.
  virtual void begin(CollectiveOp op, std::span<std::byte> data, Arithmetic arithmetic) = 0;
  /// Whether it has ended; moves it on.
  [[nodiscard]] virtual bool finished() = 0;
};

}  // namespace mimus::kernels
