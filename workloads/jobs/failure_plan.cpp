// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/jobs/job.hpp"

namespace mimus::workloads {

const FailurePlan::Failure* FailurePlan::strikes(int others) const {
  int left = others;
  for (const Failure& failure : failures) {
    if (failure.recurs || left-- == 0) return &failure;
  }
  return nullptr;
}

}  // namespace mimus::workloads
