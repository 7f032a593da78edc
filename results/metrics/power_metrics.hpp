// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "results/metrics/metric.hpp"

namespace mimus::results {

/// Figures of sleeping nodes, if there were any.
[[nodiscard]] std::vector<Metric> power_metrics();

}  // namespace mimus::results
