// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "workloads/traces/trace_format.hpp"

namespace mimus::workloads {

/// What the tasks of one job of Alibaba PAI ask for and when they run.
struct PaiTasks {
  TraceRecord request;                 ///< its GPUs, cores and memory alone
  std::optional<Duration> start, end;  ///< of the first and of the last task
  bool all_ended = true;
};

/// Tables of the full trace of Alibaba PAI (cluster-trace-gpu-v2020). They have no header lines.
/// Malformed rows go to `sink`.
using PaiTasksByJob = std::unordered_map<std::string, PaiTasks>;
[[nodiscard]] PaiTasksByJob read_pai_tasks(const TraceFile& file, RowSink& sink);

/// What is known of the instances of a job.
struct PaiTag {
  std::string group;
  std::string gpu_type;  ///< that the user asks for; blank: none
};
/// By inst_id.
using PaiTags = std::unordered_map<std::string, PaiTag>;
[[nodiscard]] PaiTags read_pai_tags(const TraceFile& file, RowSink& sink);

}  // namespace mimus::workloads
