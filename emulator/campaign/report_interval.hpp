// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "emulator/campaign/campaign.hpp"

namespace mimus::emulator {

/// Default of the longest emulated time between progress reports, for policies that use running
/// jobs and for the table of steps.
inline constexpr Duration kReportEvery = std::chrono::seconds{60};

/// Emulated time between reports of a running job that the policy or the workload acts on, in both
/// engines: as `engine.report_every` says, else the shortest interval of the policy's choices, at
/// most kReportEvery, which is also that of planners that only read progress. Nothing if none of
/// them acts on reports; zero for a single report at the end.
[[nodiscard]] std::optional<Duration> report_interval(const CellConfig& config);

}  // namespace mimus::emulator
