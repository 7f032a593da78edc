// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>

namespace mimus::workloads {

/// One measured optimiser step without accumulation.
struct StepTiming {
  double step = 0.0;  ///< whole iteration [s]
  double sync = 0.0;  ///< part of it that waits for gradients [s]
};

/// Timings over the per-GPU batch [samples].
using TimingLine = std::map<double, StepTiming>;

}  // namespace mimus::workloads
