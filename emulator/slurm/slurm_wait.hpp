// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "emulator/campaign/campaign.hpp"

namespace mimus::emulator {

/// A summary of squeue's output for the jobs that are still in the queue, e.g. "2 running, 5
/// pending (Priority)"; "" when none is left. `lines` has one "STATE|REASON" per job or array task.
[[nodiscard]] std::string queue_text(const std::string& lines);

/// Waits until none of the jobs is in the queue, and logs the progress of the campaign whenever it
/// changes. Returns the number of cells without a complete result. Throws TimeoutError after
/// `limit`, and InterruptedError on Ctrl-C; the jobs go on in both cases.
[[nodiscard]] std::size_t wait_for_jobs(const Campaign& campaign, const std::string& output_dir,
                                        const std::vector<std::string>& jobs, Duration limit);

/// Jobs that did not end well, e.g. "13 failed (exit code 2)". Jobs that Slurm has forgotten are
/// left out. `records` is the output of `scontrol --oneliner show job` for them.
[[nodiscard]] std::string bad_ends(const std::string& records);

/// bad_ends() of scontrol's present output.
[[nodiscard]] std::string jobs_that_failed(const std::vector<std::string>& jobs);

}  // namespace mimus::emulator
