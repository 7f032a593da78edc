// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "results/metrics/metric.hpp"

namespace mimus::results {

/// Of guaranteed and opportunistic jobs, where there are both.
[[nodiscard]] std::vector<Metric> class_metrics();

}  // namespace mimus::results
