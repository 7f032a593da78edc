// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "emulator/campaign/campaign.hpp"

namespace mimus::emulator {

/// What squeue says of the jobs that are still in the queue, e.g. "2 running, 5 pending (Priority)";
/// "" when none is left. `lines` has one "STATE|REASON" per job or array task.
[[nodiscard]] std::string queue_text(const std::string& lines);

/// Waits until none of the jobs is in the queue and says how far the campaign is whenever that
/// changes. Returns the number of cells without a complete result. Throws TimeoutError after
/// `limit`, and InterruptedError on Ctrl-C; the jobs go on in both cases.
[[nodiscard]] std::size_t wait_for_jobs(const Campaign& campaign, const std::string& output_dir,
                                        const std::vector<std::string>& jobs, Duration limit);

}  // namespace mimus::emulator
