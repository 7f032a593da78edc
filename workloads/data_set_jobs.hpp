// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "base/yaml_reader.hpp"
#include "workloads/jobs/workload_source.hpp"
#include "workloads/workload_keys.hpp"

namespace mimus::workloads {

/// The jobs of another source, each with a data set of a table: the one that it names, or one drawn
/// by the shares among those that its model and virtual cluster may draw. Each job draws by its id
/// and the seed alone, so that it reads the same under every policy.
class DataSetJobs final : public WorkloadSource {
 public:
  DataSetJobs(std::unique_ptr<WorkloadSource> origin, std::vector<DataSet> sets)
      : origin_(std::move(origin)), sets_(std::move(sets)) {}

  [[nodiscard]] Workload make(const WorkloadContext& context) const override;
  [[nodiscard]] std::unique_ptr<JobStream> open(const WorkloadContext& context) const override;
  [[nodiscard]] std::unique_ptr<JobStream> begin(const WorkloadContext& context) const override;
  [[nodiscard]] Hears hears() const override { return origin_->hears(); }

 private:
  std::unique_ptr<WorkloadSource> origin_;
  std::vector<DataSet> sets_;
};

/// Throws ConfigError for a name that is given twice.
void check_data_sets(const YamlReader& workload, const std::vector<DataSet>& sets);

}  // namespace mimus::workloads
