// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "workloads/generate/generated_stream.hpp"
#include "workloads/jobs/training_request.hpp"
#include "workloads/models/model_reference.hpp"

namespace mimus::workloads {

/// Jobs that come again and again under one tag.
struct RecurringGroup {
  std::string tag;
  Duration period{};
  Duration offset{};  ///< of the first run; copies are spread over the period after it
  Duration jitter{};  ///< a run is submitted up to this much late
  std::int64_t copies = 1;
  int gang = 1;
  SourceLocation gang_where;
  double gpu_share = 1.0;
  Duration run_time{};          ///< mean
  double run_time_sigma = 0.2;  ///< of its logarithm
  std::optional<ModelReference> model;
  BatchChoice batch = BatchChoice::reference;
  std::string user = "user";
  std::string virtual_cluster = "default";
};

/// Parameters of the generator `recurring`.
struct RecurringSettings : GeneratorSettings {
  std::vector<RecurringGroup> groups;
  std::optional<double> estimate_error;
};

[[nodiscard]] Fields<RecurringSettings> recurring_fields();
/// What follows from settings that were read. Throws ConfigError.
void settle(YamlReader& reader, RecurringSettings& settings);

}  // namespace mimus::workloads
