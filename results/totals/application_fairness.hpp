// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "results/schema/rows.hpp"

namespace mimus::results {

/// Finish-time fairness ρ = T_shared ÷ T_isolated of applications of several jobs (Mahajan et al.,
/// Themis, NSDI 2020), as Fairness has it of jobs:
///
///     T_shared   = last end − first arrival
///     T_isolated = service ÷ min(C ÷ N, demand)
///
/// with C the GPUs of the cluster, N the mean number of applications with jobs in the system during
/// that time, where a job without an application is one by itself, and demand the mean number of
/// GPUs that its jobs in the system ask for: ρ = 1 where no job waits and N · demand <= C. Of an
/// application of one job this is the ρ of the job. `service` is that of all its jobs, of cancelled
/// and failed ones, too. Applications with jobs that have not left are not judged, nor are those of
/// which no job has finished.
class ApplicationFairness {
 public:
  void add(const JobRow& row);

  /// Calls `act(ApplicationRow)` for each, by name, on a cluster of so many GPUs. `lost`: of a job,
  /// what co-tenants cost it [GPU s].
  void each(double gpus, const std::function<double(std::int64_t)>& lost,
            const std::function<void(const ApplicationRow&)>& act) const;

 private:
  struct Span {
    double begin = 0, end = 0;
  };
  struct Application {
    std::vector<Span> spans;  ///< of its jobs in the system
    std::vector<std::pair<std::int64_t, double>>
        shares;          ///< of each GPU, of its jobs that have run
    double asked = 0;    ///< Σ GPUs × time in the system [GPU s]
    double service = 0;  ///< without what co-tenants cost [GPU s]
    double jobs = 0, finished = 0, killed = 0;
    bool all_left = true;
  };
  /// How many applications have jobs in the system, integrated over time.
  class Active;

  std::map<std::string, Application> applications_;
  std::vector<std::pair<float, float>> others_;  ///< spans of jobs without one
};

}  // namespace mimus::results
