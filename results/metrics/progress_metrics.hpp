// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "results/metrics/metric.hpp"

namespace mimus::results {

/// How fast jobs train: samples, what they are worth to the training, and what of it was lost.
[[nodiscard]] std::vector<Metric> progress_metrics();

}  // namespace mimus::results
