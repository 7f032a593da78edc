// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tests/gpu/kernel_bench.hpp"

namespace mimus::kernels::cuda {

/// Two rows per shape: "product ..." is what Mimus launches, "cuBLASLt best ..." the fastest of the
/// candidates of cuBLASLt's heuristics, timed one by one. The first is to reach 95 % of the second.
[[nodiscard]] std::vector<BenchRow> product_rows();

}  // namespace mimus::kernels::cuda
