// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/registry.hpp"
#include "scheduler/jobs/job_view.hpp"

namespace mimus::scheduler {

/// Whose data is resident?
class Cache {
 public:
  virtual ~Cache() = default;
  /// A job starts an attempt: the share of its data set that is resident from now on, 0..1.
  /// Becomes JobView::cached_share.
  [[nodiscard]] virtual double admit(const JobView& job) = 0;
  /// A job has left the system.
  virtual void leave(const JobView& job) = 0;
};

[[nodiscard]] const Registry<Cache>& cache_choices();

}  // namespace mimus::scheduler
