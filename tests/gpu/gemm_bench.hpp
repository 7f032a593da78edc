// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tests/gpu/kernel_bench.hpp"

namespace mimus::kernels::cuda {

/// Three rows per shape, measured in turn: what Mimus launches; plain cuBLASLt with the first
/// algorithm that its heuristics name, of whose rate the first row is to reach 95 %; and the
/// fastest of 16 algorithms, timed one by one, which no framework does: for information.
[[nodiscard]] std::vector<BenchRow> product_rows();

}  // namespace mimus::kernels::cuda
