// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "workloads/jobs/workload_source.hpp"

namespace mimus::workloads {

/// One source per trace format, by name; docs/workloads.md has what each column becomes. The list
/// is written while Mimus is built: it has every `Choice<WorkloadSource> NAME_source()` that a file
/// of this folder or of traces/native defines.
[[nodiscard]] std::vector<Choice<WorkloadSource>> trace_sources();

}  // namespace mimus::workloads
