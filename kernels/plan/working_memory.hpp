// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/footprint/footprint_plan.hpp"
#include "kernels/layers/replica_layout.hpp"
#include "kernels/plan/memory_packing.hpp"

namespace mimus::kernels {

/// Places for the tensors of Region::working, so that the first ones that are done make room for
/// later ones. Gradients begin with the region and are laid out like the weights. Each lives from
/// the launch that makes it to the end of the step, or, with several micro-batches, all the time.
/// The optimiser's temporary, after them, takes the place of everything else.
class WorkingMemory {
 public:
  /// `plan` has all its launches, with the places of `layout`. Both must outlive this object.
  WorkingMemory(const LaunchPlan& plan, const ReplicaLayout& layout);

  /// The memory needed at the same time.
  [[nodiscard]] std::int64_t bytes() const { return bytes_; }
  /// Tensors that wait longest, for their size, from one launch to the next that needs them are on
  /// the device for these launches only, until the others fit into `most` bytes, or none is left.
  void shrink_to(std::int64_t most);
  /// Moves the operands of launches of `plan`, which is the one above, to their places.
  void place_operands(LaunchPlan& plan) const;

 private:
  void pack(const std::vector<Lifetime>& tensors);

  const ReplicaLayout& layout_;
  std::vector<Lifetime> tensors_;                    ///< of the layout
  std::vector<std::vector<std::size_t>> needed_at_;  ///< launches, of each
  std::vector<PlacedLifetime> placed_;               ///< gradients and the temporary
  std::vector<std::int64_t> offsets_;
  std::int64_t bytes_ = 0;
};

}  // namespace mimus::kernels
