// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <variant>

namespace mimus::workloads {

/// Minutes to failure at quantiles 0, 0.5, 0.9, 0.95 and 1. Between them the logarithm is linear.
using FailureQuantiles = std::array<double, 5>;
inline constexpr FailureQuantiles kFailureQuantiles{0.0, 0.5, 0.9, 0.95, 1.0};

/// Log-normal minutes to failure; the median where the mean is not above it.
struct FailureMean {
  double mean, median;
};

/// Trials that failed with jobs of 1, 2 to 4, and more GPUs.
using TrialsByGang = std::array<double, 3>;

/// Trials that failed, and the GPUs of their jobs in the mean.
struct TrialsOfMean {
  double trials, gang;
};

struct FailureClass {
  const char* reason;
  std::variant<TrialsByGang, TrialsOfMean> trials;
  std::variant<FailureQuantiles, FailureMean> minutes;
  /// Of machines, network or storage: it strikes anybody, at any time, and not the job's own code.
  bool of_machines = false;
};

/// Jeon et al. (ATC 2019), Table 7, the frequent classes first. The first `kFrequentOfPhilly` have
/// at least 100 trials.
[[nodiscard]] std::span<const FailureClass> philly_failures();
inline constexpr std::size_t kFrequentOfPhilly = 17;

/// Hu et al. (Acme, NSDI 2024), Table 3: infrastructure, framework, script. Entered from memory;
/// the totals agree with those of the paper's text.
[[nodiscard]] std::span<const FailureClass> acme_failures();

}  // namespace mimus::workloads
