// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>

namespace mimus::workloads {

/// One measured optimiser step.
struct StepTiming {
  double step = 0.0;  ///< whole iteration [s]
  double sync = 0.0;  ///< part of it that waits for gradients [s]
  double busy = 0.0;  ///< part of it that keeps the device busy, 0 where that was not measured [s]
};

/// Timings over the per-GPU batch [samples].
using TimingLine = std::map<double, StepTiming>;

}  // namespace mimus::workloads
