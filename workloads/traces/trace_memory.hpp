// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "workloads/traces/row_sink.hpp"

namespace mimus::workloads {

/// The trace under `key`, parsed at most once per process while it is among the last few that were
/// asked for: the cells of a campaign read the same file. Thread-safe. What `parse` throws is not
/// remembered.
[[nodiscard]] std::shared_ptr<const ParsedTrace> remembered_trace(
    const std::string& key, const std::function<ParsedTrace()>& parse);

/// How often remembered_trace() has had to parse.
[[nodiscard]] std::int64_t traces_parsed();

}  // namespace mimus::workloads
