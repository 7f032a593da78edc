// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "results/metrics/metric.hpp"

namespace mimus::results {

/// Of GPUs with prices.
[[nodiscard]] std::vector<Metric> cost_metrics();

}  // namespace mimus::results
