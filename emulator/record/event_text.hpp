// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "scheduler/jobs/allocation.hpp"
#include "workloads/jobs/job.hpp"

namespace mimus::emulator {

// Details in the table `events`.

/// For example "gang 2, resnet50". A job that is only a run time has no model.
[[nodiscard]] std::string request_text(const workloads::Job& job);

/// For example "GPUs 0-3 8". Rows of `placements` are written only when the attempt ends. Until
/// then this text tells readers of a growing file where attempts run. It is cut to the column's
/// length.
[[nodiscard]] std::string gpus_text(const scheduler::Allocation& allocation);

}  // namespace mimus::emulator
