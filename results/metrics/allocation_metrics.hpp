// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "results/metrics/metric.hpp"

namespace mimus::results {

/// Figures of cells whose workload is drawn until it asks for a multiple of the cluster.
[[nodiscard]] std::vector<Metric> allocation_metrics();

}  // namespace mimus::results
