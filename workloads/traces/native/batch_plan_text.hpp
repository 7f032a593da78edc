// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/jobs/job.hpp"

namespace mimus::workloads {

/// "0:128;30:256": a total batch from a number of epochs on.
[[nodiscard]] std::string batch_plan_text(const std::vector<PlannedBatch>& plan);
/// Nothing for any other text.
[[nodiscard]] std::optional<std::vector<PlannedBatch>> parse_batch_plan(std::string_view text);

}  // namespace mimus::workloads
