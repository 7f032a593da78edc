// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "workloads/jobs/job_stream.hpp"
#include "workloads/jobs/run_times.hpp"
#include "workloads/models/model_catalogue.hpp"

namespace mimus::workloads {

/// What a source needs besides its own parameters.
struct WorkloadContext {
  const ModelCatalogue& models;
  std::uint64_t seed;       ///< of the cell and repetition
  int cluster_gpus;         ///< larger gangs are refused or clamped, never silently kept
  RunTimes run_times = {};  ///< of jobs with a model
};

/// A source of jobs: a generator, or the reader of a trace format.
class WorkloadSource {
 public:
  virtual ~WorkloadSource() = default;
  /// All jobs at once. Throws ConfigError with file and line for a bad input row.
  [[nodiscard]] virtual Workload make(const WorkloadContext& context) const = 0;
  /// The same jobs one after the other. A source of long workloads overrides this one and makes the
  /// other from it. The models of `context` must outlive the stream.
  [[nodiscard]] virtual std::unique_ptr<JobStream> open(const WorkloadContext& context) const {
    return std::make_unique<WorkloadStream>(make(context));
  }
  /// The jobs of a run: as open() where it does not matter what becomes of them. Of a source that
  /// hears of its jobs, open() lists all that may come, and this one waits for the news.
  [[nodiscard]] virtual std::unique_ptr<JobStream> begin(const WorkloadContext& context) const {
    return open(context);
  }
  /// Of the streams that begin() returns.
  [[nodiscard]] virtual Hears hears() const { return Hears::nothing; }
  /// The jobs that an operator would know the workload by: all of them, or those it is drawn from.
  [[nodiscard]] virtual std::unique_ptr<JobStream> population(
      const WorkloadContext& context) const {
    return open(context);
  }
};

}  // namespace mimus::workloads
