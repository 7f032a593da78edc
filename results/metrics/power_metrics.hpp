// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "results/metrics/metric.hpp"

namespace mimus::results {

/// Of nodes that sleep, where any did.
[[nodiscard]] std::vector<Metric> power_metrics();

}  // namespace mimus::results
