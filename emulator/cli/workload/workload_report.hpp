// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "workloads/statistics/workload_statistics.hpp"

namespace mimus::emulator::cli {

/// The output of `mimus workload describe`.
struct WorkloadDescription {
  std::string from;  ///< the input, in words
  std::string source, source_hash;
  std::vector<std::string> notes;
  workloads::WorkloadStatistics statistics;
  std::optional<int> gpus;
};

/// Tables and plots for a terminal of `width` columns.
[[nodiscard]] std::string as_text(const WorkloadDescription& description, int width);
[[nodiscard]] nlohmann::ordered_json as_json(const WorkloadDescription& description);

}  // namespace mimus::emulator::cli
