// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/queue/queue_state.hpp"

namespace mimus::scheduler {

/// Whether admission would accept a waiting job once the jobs that are stopping have ended and, of
/// its group, others with some more GPUs.
class QuotaCheck {
 public:
  /// `promised`: GPUs promised to better ranked jobs of its group.
  QuotaCheck(const QueueState& state, const JobRecord& job, MilliGpus promised)
      : admission_(*state.books.policy.admission),
        job_(job.view),
        usage_(state.books.usage_after_stops(job.group, promised)) {}

  [[nodiscard]] bool passes(MilliGpus given_back = {}) const {
    Usage usage = usage_;
    usage.held_by_group -= given_back;
    usage.held -= given_back;
    return admission_.admit(job_, job_.demand(), usage).verdict == Verdict::accept;
  }

 private:
  const Admission& admission_;
  const JobView& job_;
  Usage usage_;
};

/// What-if for a job that waits for quota: it needs both its quota and GPUs.
class QuotaRoom final : public WhatIf {
 public:
  QuotaRoom(const JobTable& jobs, const QuotaCheck& quota, WhatIf& gpus)
      : jobs_(jobs), quota_(quota), gpus_(gpus) {}

  void release(AttemptId attempt) override {
    given_back_ += jobs_.running(attempt)->view.demand();
    gpus_.release(attempt);
  }
  void restore(AttemptId attempt) override {
    given_back_ -= jobs_.running(attempt)->view.demand();
    gpus_.restore(attempt);
  }
  [[nodiscard]] bool fits() const override { return quota_.passes(given_back_) && gpus_.fits(); }

 private:
  const JobTable& jobs_;
  const QuotaCheck& quota_;
  WhatIf& gpus_;
  MilliGpus given_back_;
};

}  // namespace mimus::scheduler
