// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "base/random.hpp"
#include "workloads/jobs/workload_source.hpp"
#include "workloads/traces/row_sink.hpp"
#include "workloads/traces/trace_options.hpp"

namespace mimus::workloads {

/// Makes the jobs of a cell from parsed rows: id, origin, compression, scaling, footprint, work and
/// estimate. What a row draws depends on its number in the file alone, so that no option changes
/// the draws of the rows that it keeps.
class JobShaper {
 public:
  /// `traits` and `options` must outlive the shaper, and so must the models of `context`.
  JobShaper(const TraceTraits& traits, const TraceOptions& options, std::string file,
            const WorkloadContext& context);

  /// Call it in order of arrival. `origin` becomes the cell's zero; `estimates` are those of the
  /// row. Throws ConfigError for an unknown model and for work that no listed model covers.
  [[nodiscard]] Job shape(const ParsedRow& row, std::span<const Duration> estimates,
                          Instant origin);

 private:
  /// Returns by what the run time was multiplied.
  double clamp_gang(Job& job) const;
  void scale_times(Job& job, const ParsedRow& row, Instant origin) const;
  [[nodiscard]] const Model* footprint(Job& job, const ParsedRow& row) const;
  [[nodiscard]] const Model& draw(const Job& job, const ParsedRow& row) const;
  void set_work(Job& job, const Model* model) const;
  /// `factor` is what became of the run time; the row's own estimates follow it.
  void set_estimate(Job& job, const ParsedRow& row, std::span<const Duration> estimates,
                    double factor) const;
  [[nodiscard]] SourceLocation at(Place place) const { return {file_, place.line, place.column}; }

  const TraceTraits& traits_;
  const TraceOptions& options_;
  std::string file_;
  const ModelCatalogue& models_;
  int cluster_gpus_;
  RunTimes run_times_;
  std::vector<const Model*> drawable_;  ///< of options_.models
  NumberedStreams model_draws_, estimate_draws_;
  std::int64_t next_id_ = 0;
};

}  // namespace mimus::workloads
