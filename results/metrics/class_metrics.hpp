// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "results/metrics/metric.hpp"

namespace mimus::results {

/// Figures of guaranteed and opportunistic jobs, if there are both.
[[nodiscard]] std::vector<Metric> class_metrics();

}  // namespace mimus::results
