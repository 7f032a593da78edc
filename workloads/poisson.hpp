// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/workload_source.hpp"

namespace mimus::workloads {

/// The `poisson` source: independent arrivals with a mix of models, gang sizes, run times, users
/// and failures. Each concern draws from its own random stream, so that changing one leaves the
/// others as they were.
[[nodiscard]] Choice<WorkloadSource> poisson_source();

}  // namespace mimus::workloads
