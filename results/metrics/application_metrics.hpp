// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "results/metrics/metric.hpp"

namespace mimus::results {

/// Of applications of several jobs, where there are any.
[[nodiscard]] std::vector<Metric> application_metrics();

}  // namespace mimus::results
