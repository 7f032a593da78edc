// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/yaml_reader.hpp"
#include "workloads/jobs/changed_jobs.hpp"
#include "workloads/workload_keys.hpp"

namespace mimus::workloads {

/// Gives each job a data set of a table: the one that it names, or one drawn by the shares among
/// those that its model and virtual cluster may draw. The change throws UsageError for a job that
/// states another size than the table.
[[nodiscard]] ChangedJobs::MakeChange drawn_data_sets(std::vector<DataSet> sets);

/// Throws ConfigError for a name that is given twice.
void check_data_sets(const YamlReader& workload, const std::vector<DataSet>& sets);

}  // namespace mimus::workloads
