// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/fields.hpp"

namespace mimus::workloads {

/// `workload.training`: what is true of how its jobs learn, whatever trains them.
struct TrainingTruth {
  /// z₀: the users' learning rates at M₀ over the best ones there, see learning_rate.hpp.
  double learning_rate = 1.0;
  /// Of the squared norm of a gradient, what it deviates by over its mean.
  double gradient_noise = 0.0;
};

/// `workload.draw`: see DrawnJobs.
struct DrawSettings {
  double requested = 1.0;                  ///< GPUs of all jobs over those of the cluster
  Duration gap = std::chrono::seconds{1};  ///< between arrivals
  bool stay = false;                       ///< jobs do not end
};

/// An entry of `workload.data_sets`.
struct DataSet {
  std::string name;
  Bytes size{};
  double share = 1.0;                         ///< of the jobs that may draw it
  std::vector<std::string> models;            ///< that may draw it; empty: all
  std::vector<std::string> virtual_clusters;  ///< likewise
};

/// Keys that a `workload:` mapping may have beside those of its source.
struct WorkloadKeys {
  std::optional<std::int64_t> seed;  ///< of what is drawn, in place of the campaign's
  /// The machine type on which stated run times hold, in place of the cluster's: the name of a
  /// built-in one, or an entry of a table of them.
  std::optional<ConfigNode> duration_on;
  TrainingTruth training;
  /// Jobs in the system at a time: the next one arrives when one has left, whatever its stated
  /// arrival. Nothing: jobs arrive when they are stated to.
  std::optional<int> jobs_at_once;
  /// Between two checkpoints of a job that trains. Nothing: it writes one only when it is stopped.
  std::optional<Duration> checkpoint_every;
  /// Of the jobs, drawn by lot, are opportunistic, besides those that are stated to be [0..1].
  double opportunistic = 0.0;
  /// Multiples of run times alone, of which jobs without a deadline draw one. Empty: none.
  std::vector<double> deadlines;
  std::optional<DrawSettings> draw;
  std::vector<DataSet> data_sets;
};

[[nodiscard]] const Fields<WorkloadKeys>& workload_fields();
/// Throws ConfigError.
[[nodiscard]] WorkloadKeys read_workload_keys(YamlReader& workload);

}  // namespace mimus::workloads
