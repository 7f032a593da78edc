// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <string>

#include "base/fields.hpp"
#include "base/time.hpp"

namespace mimus::workloads {

/// What the host does for one micro-batch of a replica beside launching its kernels.
struct HostWork {
  Duration per_step{};
  Duration per_sample{};
  /// Growth of both for every further GPU in use on the node: input pipelines share its cores.
  double contention = 0.0;
  /// With more GPUs in use on the node than these the growth is that with these.
  int contended_gpus = std::numeric_limits<int>::max();

  [[nodiscard]] Duration of(double samples) const { return per_step + scale(per_sample, samples); }
  [[nodiscard]] bool is_limited() const { return contended_gpus < std::numeric_limits<int>::max(); }
};

/// Fraction of the peak rates of a device that a model's kernels reach.
struct Efficiency {
  double compute = 0.6;
  double memory = 0.75;
};

/// What modelled step times of one GPU were compared with.
struct Validation {
  std::string source;
  double error = 0.0;  ///< mean of |modelled / measured - 1|
};

/// Keys of a mapping of each.
[[nodiscard]] const Fields<HostWork>& host_work_fields();
[[nodiscard]] const Fields<Efficiency>& efficiency_fields();
[[nodiscard]] const Fields<Validation>& validation_fields();

}  // namespace mimus::workloads
