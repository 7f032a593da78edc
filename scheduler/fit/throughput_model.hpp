// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "scheduler/jobs/allocation.hpp"

namespace mimus::scheduler {

/// The throughput model of Pollux (Qiao et al., OSDI'21, Eq. 7 to 11) as its artifact evaluates it.
/// All times in seconds; batches in samples.
struct ThroughputModel {
  double alpha_c = 0.1;  ///< compute of a micro-batch, constant
  double beta_c = 0.01;  ///< compute of a micro-batch, per sample
  double alpha_n = 0.1;  ///< synchronisation of two replicas on several nodes
  double beta_n = 0.01;  ///< for each further replica
  double alpha_r = 0.1;  ///< synchronisation of two replicas on one node
  double beta_r = 0.01;  ///< for each further replica
  double gamma = 1.001;  ///< overlap of both, 1 (none) to 10 (all but)

  /// Compute of one micro-batch (Eq. 8).
  [[nodiscard]] double compute_time(double per_gpu_batch) const;
  /// Synchronisation of `replicas` on `nodes` (Eq. 9).
  [[nodiscard]] double sync_time(int nodes, int replicas) const;
  /// One optimiser step (Eq. 11).
  [[nodiscard]] double step_time(int nodes, int replicas, const BatchPlan& batch) const;
};

}  // namespace mimus::scheduler
