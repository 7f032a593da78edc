// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace mimus::results {

/// How much reaches the file: everything, no `steps` and `events`, or only what `summary` needs.
enum class RecordLevel { full, jobs, summary };
[[nodiscard]] const char* name(RecordLevel level);

}  // namespace mimus::results
