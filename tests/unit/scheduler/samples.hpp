// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "builders.hpp"

namespace mimus::scheduler::test {

/// A sample on one GPU with 32 samples, 0.5 s per step, until second `end`.
inline JobSample sample_at(double end) {
  JobSample sample;
  sample.end = at(end);
  sample.steps = 10;
  sample.batch = {32, 1};
  sample.step = seconds(0.5);
  return sample;
}

}  // namespace mimus::scheduler::test
