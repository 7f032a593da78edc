// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/batch/batch_split.hpp"
#include "scheduler/estimate/estimator.hpp"

namespace mimus::scheduler {

/// Estimated ratio of a job's goodput to that of its fair share, each with the best batch: SPEEDUP
/// of Pollux (Qiao et al., OSDI'21, Eq. 14). The fair share is ⌈GPUs ÷ jobs⌉ GPUs, valued as if
/// they were on one node, as in its artifact. A job without an estimate gains in proportion to its
/// GPUs.
class Speedup {
 public:
  /// `estimate` and `job` must outlive this object.
  Speedup(const Estimator& estimate, const JobView& job, const BatchLimits& limits, int fair_gpus);

  /// `nodes` ≥ 1, `gpus` ≥ `nodes`.
  [[nodiscard]] double at(int nodes, int gpus) const;

 private:
  const Estimator& estimate_;
  const JobView& job_;
  BatchLimits limits_;
  int fair_gpus_;
  double of_fair_share_ = 0.0;  ///< goodput; 0 without an estimate
};

}  // namespace mimus::scheduler
