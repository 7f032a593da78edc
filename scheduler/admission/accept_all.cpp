// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/admission/accept_all.hpp"

namespace mimus::scheduler {

AdmissionDecision AcceptAll::admit(const JobView&, MilliGpus, const Usage&) const {
  return {};
}

}  // namespace mimus::scheduler
