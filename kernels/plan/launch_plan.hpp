// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "base/units.hpp"
#include "kernels/footprint/footprint_plan.hpp"
#include "kernels/launch/launch.hpp"
#include "kernels/launch/launch_options.hpp"
#include "kernels/launch/micro_batch_launches.hpp"
#include "kernels/pytorch/pytorch_memory.hpp"
#include "workloads/models/model.hpp"

namespace mimus::kernels {

/// Where a replica's memory may be [bytes].
struct MemoryLimit {
  std::int64_t device = std::numeric_limits<std::int64_t>::max();
  std::int64_t spilled = 0;  ///< in the host's; crosses the host link once per micro-batch
};

/// Bytes of each region. Gradients and the optimiser's temporary are parts of Region::working.
struct MemoryPlan {
  std::array<std::int64_t, kRegions> region{};
  std::int64_t kept = 0;  ///< of Region::working, by a micro-batch for its backward pass
  /// Bytes that PyTorch's allocator reserves beyond the regions, if convolutions take no work
  /// space.
  std::int64_t fragments = 0;
  /// The most that PyTorch would have allocated at any one time, including work space of cuBLAS.
  std::int64_t allocated = 0;
  std::int64_t input = 0;  ///< one step's input; held twice, for the copy of the next one
  MemoryLimit limit;

  [[nodiscard]] std::int64_t bytes(Region of) const { return region[static_cast<std::size_t>(of)]; }
  /// Where a part of Region::working begins in it: gradients at its beginning, the temporary after
  /// them.
  [[nodiscard]] std::int64_t begin(Region part) const {
    return part == Region::temporary ? bytes(Region::gradients) : 0;
  }
  /// For the copies of spilled memory.
  [[nodiscard]] std::int64_t staging() const {
    constexpr std::int64_t kPiece = std::int64_t{32} << 20;  // takes far longer than its launch
    return std::min(limit.spilled, kPiece);
  }
  [[nodiscard]] std::int64_t total() const {
    const std::int64_t all =
        std::accumulate(region.begin(), region.end(), fragments + 2 * input + staging());
    return all - bytes(Region::gradients) - bytes(Region::temporary);
  }
  /// The fragments if PyTorch reserves `reserved` bytes, of which the device itself holds `beside`,
  /// the work space of libraries. Buckets are taken once and in large pieces; indices are part of
  /// the input. A limit leaves fewer.
  [[nodiscard]] std::int64_t fragments_of(std::int64_t reserved, std::int64_t beside) const {
    const std::int64_t lasting = bytes(Region::buckets) + bytes(Region::indices);
    const std::int64_t own = total() - fragments;
    const std::int64_t unlimited = reserved - beside - (own - lasting);
    return std::max<std::int64_t>(0, std::min(unlimited, limit.device - own - beside));
  }
};

/// After backward launch number `launch` (counted from 0) bucket `bucket` is complete.
struct BucketRelease {
  std::size_t launch = 0;
  std::size_t bucket = 0;
};

/// Every kernel launch of a training step of one replica: the concrete form of the footprint down
/// to shapes and places, for devices that run it at full size. FLOP are those of the model's
/// layers. So are launches and bytes, with the exceptions in kernels/launch/accuracy.md.
struct LaunchPlan : MicroBatchLaunches {
  StepShape shape;
  Arithmetic halves = Arithmetic::bf16;  ///< type of elements of two bytes, where there are any
  std::vector<Launch> optimiser;
  std::vector<BucketRelease> releases;  ///< ascending; on the last micro-batch only
  std::vector<TensorSpan> buckets;      ///< of the gradients, in the order of their reduction
  std::int64_t buffer_broadcast = 0;    ///< bytes before the first forward pass; 0 for one replica
  MemoryPlan memory;
  StepAllocations allocations;  ///< as PyTorch would make them

  /// Kernels of a step, including all micro-batches.
  [[nodiscard]] std::int64_t launches() const;
};

/// `optimiser_parts`: replicas that divide the optimiser's state and work among them. What exceeds
/// `limit.device` is taken from fragments first, then from tensors that wait for the launches that
/// need them. Other launches overwrite those meanwhile. The rest, MemoryPlan::total(), may still be
/// more than the limit. Throws UsageError if the step has no samples, micro-batches or replicas.
[[nodiscard]] LaunchPlan make_launch_plan(const workloads::Model& model, const StepShape& shape,
                                          const LaunchOptions& options, int optimiser_parts = 1,
                                          const MemoryLimit& limit = {});

}  // namespace mimus::kernels
