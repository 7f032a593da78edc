// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "results/metrics/metric.hpp"

namespace mimus::results {

/// Figures of jobs that read data sets through links and a cache, if there were any.
[[nodiscard]] std::vector<Metric> reading_metrics();

}  // namespace mimus::results
