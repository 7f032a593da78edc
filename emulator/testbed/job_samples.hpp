// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "emulator/engine.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace mimus::emulator {

/// What the job's own agent has measured in these windows on `allocation`, the same way for both
/// engines: whatever a window holds of the model behind it (StepWindow::step_modelled) stays out.
[[nodiscard]] std::vector<scheduler::JobSample> job_samples(std::span<const StepWindow> windows,
                                                            const scheduler::Allocation& allocation,
                                                            const scheduler::ClusterShape& shape,
                                                            const workloads::Model& model);

}  // namespace mimus::emulator
