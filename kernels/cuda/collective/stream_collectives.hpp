// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "kernels/collective.hpp"
#include "kernels/cuda/collective/stream_collective.hpp"

namespace mimus::kernels::cuda {

/// GangCollectives for a CUDA device: ordered by the device. Null where there is none.
struct StreamCollectives {
  StreamCollective* data = nullptr;
  StreamCollective* tensor = nullptr;
  StreamCollective* tied = nullptr;
  StreamCollective* activations_in = nullptr;
  StreamCollective* activations_out = nullptr;
  StreamCollective* gradients_in = nullptr;
  StreamCollective* gradients_out = nullptr;

  /// All that are not null.
  [[nodiscard]] std::vector<StreamCollective*> all() const;
};

/// Throws InternalError if one of them is ordered by the host.
[[nodiscard]] StreamCollectives stream_collectives(const GangCollectives& gang);

}  // namespace mimus::kernels::cuda
