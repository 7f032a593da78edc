// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/workload_source.hpp"

namespace mimus::workloads {

/// The `pollux` source: workload files of the Pollux artifact (OSDI'21), with the columns name,
/// time [s], application, num_replicas, batch_size.
[[nodiscard]] Choice<WorkloadSource> pollux_csv_source();

}  // namespace mimus::workloads
