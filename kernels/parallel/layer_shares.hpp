// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/parallel/parallel_plan.hpp"
#include "kernels/parallel/transformer_blocks.hpp"

namespace mimus::kernels {

/// The share of one rank in a layer: outputs, inputs, heads, entries or tokens ÷ t.
[[nodiscard]] workloads::Layer share_of(const workloads::Layer& layer, ShardRole role,
                                        const ParallelShape& shape);

}  // namespace mimus::kernels
