// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>

#include "workloads/jobs/job.hpp"

namespace mimus::workloads {

/// Writes a workload as Mimus' own CSV, which the source `csv` reads back equal: times to the
/// nanosecond, numbers to the last bit. Throws UsageError for what the format cannot hold: an empty
/// name, user or virtual cluster, and times beyond 4.2e9 s.
void write_csv(const Workload& workload, std::ostream& out);

}  // namespace mimus::workloads
