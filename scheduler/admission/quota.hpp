// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>

#include "scheduler/admission/admission.hpp"

namespace mimus::scheduler {

/// A GPU quota per virtual cluster. A job waits while its virtual cluster would exceed its quota;
/// with `borrow`, idle GPUs of others may be used meanwhile: used_v + demand <= quota_v, or
/// Σ used + demand <= GPUs when borrowing. The demand is the gang times the share of a GPU that
/// each replica occupies. With preemption, a job that waits for its quota may stop jobs of its own
/// virtual cluster only, those ranked after it.
/// Source: Philly (Jeon et al., ATC'19 §2.3).
class Quota final : public Admission {
 public:
  struct Settings {
    std::map<std::string, int> quotas;  ///< virtual cluster → GPUs
    std::optional<int> others;          ///< of virtual clusters not named; none means no limit
    bool borrow = false;
  };
  explicit Quota(Settings settings) : settings_(std::move(settings)) {}

  [[nodiscard]] std::string group(const JobView& job) const override;
  [[nodiscard]] std::optional<int> quota(const JobView& job) const override;
  [[nodiscard]] AdmissionDecision admit(const JobView& job, MilliGpus demand,
                                        const Usage& usage) const override;

 private:
  Settings settings_;
};

}  // namespace mimus::scheduler
