// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/admission/admission.hpp"

namespace mimus::scheduler {

/// Every job may enter at any time.
class AcceptAll : public Admission {
 public:
  [[nodiscard]] bool limits() const override { return false; }
  [[nodiscard]] AdmissionDecision admit(const JobView& job, MilliGpus demand,
                                        const Usage& usage) const override;
};

}  // namespace mimus::scheduler
