// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>

#include "scheduler/containers/id_map.hpp"
#include "scheduler/jobs/job_sample.hpp"
#include "scheduler/jobs/job_view.hpp"

namespace mimus::scheduler {

/// Measurements of jobs, and the decision which of them may share their GPUs: the binder of Lucid
/// (Hu et al., ASPLOS'23). A decision tree on the share of the time in which a job keeps its GPU
/// busy classifies it as tiny (0), medium (1) or jumbo (2). A leaf is the mean speed of two such
/// jobs that share a GPU, relative to their speed alone: at least 0.95, at least 0.85, or less.
class Binder {
 public:
  struct Settings {
    // Fitted, see docs/reproductions.md.
    double tiny_below = 0.545;
    double medium_below = 0.645;
    /// A pair whose mean speed is below this share of the speeds alone is separated.
    double least_speed = 0.85;
  };
  explicit Binder(Settings settings) : settings_(settings) {}

  /// Learns a job's use of its GPUs from a sample on the profiler, and its speed beside its
  /// neighbour from a sample that began with this neighbour.
  void measure(const JobView& job, const JobSample& sample, bool on_profiler);
  /// The jobs share their GPUs from now on; `neighbour` is null for a job that does not. Pairs of
  /// models in which one ran out of memory are not formed again.
  void seat(const JobView& job, const JobView* neighbour, Instant now);
  void forget(JobId job) { jobs_.erase(job); }

  /// 0, 1 or 2; nothing for a job that has not been profiled.
  [[nodiscard]] std::optional<int> score(JobId job) const;
  /// Whether two jobs with equal gangs may share GPUs of `gpu_memory` (zero: not stated).
  [[nodiscard]] bool may_share(const JobView& one, const JobView& other, int capacity,
                               Bytes gpu_memory) const;
  /// Whether two jobs that share GPUs are to be separated. Such pairs of models are not formed
  /// again.
  [[nodiscard]] bool has_to_part(const JobView& one, const JobView& other);

 private:
  struct Measured {
    std::optional<double> utilisation;  ///< 0..1
    Bytes memory{};
    double rate = 0.0;         ///< alone [samples/s]
    double shared_rate = 0.0;  ///< beside the neighbour [samples/s]; 0: not measured
    JobId neighbour;
    std::string neighbour_model;
    Instant since = kNever;  ///< when it got its neighbour
    int memory_failures = 0;
  };
  using Models = std::pair<std::string, std::string>;
  [[nodiscard]] static Models models_of(const std::string& one, const std::string& other);
  [[nodiscard]] Bytes memory_of(const JobView& job) const;

  Settings settings_;
  IdMap<JobId, Measured> jobs_;
  std::set<Models> bad_;
};

}  // namespace mimus::scheduler
