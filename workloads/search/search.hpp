// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "workloads/jobs/workload_source.hpp"

namespace mimus::workloads {

/// `search`: hyper-parameter searches, each an application whose trials are jobs. The next trial is
/// submitted when one has left, and trials may be stopped early.
[[nodiscard]] Choice<WorkloadSource> search_source();

}  // namespace mimus::workloads
