// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace mimus::results {

/// How much is recorded: everything; everything but `steps`, `events` and `queue_delay`; or nothing
/// that grows with the jobs, only totals, quantiles and facts about each GPU and process.
enum class RecordLevel { full, jobs, summary };
[[nodiscard]] const char* name(RecordLevel level);

}  // namespace mimus::results
