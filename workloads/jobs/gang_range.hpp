// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "workloads/jobs/job.hpp"

namespace mimus::workloads {

/// Whether its user limits the numbers of GPUs that policies may give it.
[[nodiscard]] bool has_gang_range(const Job& job);

/// What is wrong with its gang and the range of it, or "".
[[nodiscard]] std::string why_no_range(const Job& job);

}  // namespace mimus::workloads
