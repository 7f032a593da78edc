// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "workloads/models/model.hpp"

namespace mimus::kernels {

/// Layers that together form attention: scores = Q·Kᵀ, streaming layers over the scores including a
/// softmax, context = scores·V.
struct AttentionRun {
  std::size_t first = 0;  ///< the layer of the scores
  std::size_t last = 0;   ///< the layer of the context
  std::int64_t heads = 0;
  std::int64_t rows = 0;      ///< of the sequence
  std::int64_t features = 0;  ///< of a head
};

[[nodiscard]] std::vector<AttentionRun> find_attention(const workloads::Model& model);

/// Throws UsageError if the model's attention has heads that no fused kernel supports.
void check_fused_attention(const workloads::Model& model);

}  // namespace mimus::kernels
