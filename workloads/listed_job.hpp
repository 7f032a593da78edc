// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "base/fields.hpp"
#include "workloads/jobs/job.hpp"
#include "workloads/jobs/training_request.hpp"
#include "workloads/models/model_reference.hpp"

namespace mimus::workloads {

/// A job of a list, as it is written.
struct ListedJob {
  std::optional<ModelReference> model;
  std::optional<Work> work;  ///< nothing if the run time states it
  WorkKeys keys;             ///< keys of the work as they are written
  std::optional<std::int64_t> batch;
  SourceLocation gang_where;
  std::string path;
  Job job;  ///< all parts that do not depend on the model
};

/// Keys of a job. Read in this order, which their checks need.
[[nodiscard]] const Fields<ListedJob>& job_fields();

/// Throws ConfigError.
[[nodiscard]] ListedJob read_job(const ConfigNode& node, const std::string& path);

}  // namespace mimus::workloads
