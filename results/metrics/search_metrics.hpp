// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "results/metrics/metric.hpp"

namespace mimus::results {

/// Of hyper-parameter searches and of jobs that were cancelled, where there were any.
[[nodiscard]] std::vector<Metric> search_metrics();

}  // namespace mimus::results
