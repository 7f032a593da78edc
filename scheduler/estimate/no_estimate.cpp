// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/estimate/no_estimate.hpp"

namespace mimus::scheduler {

std::string NoEstimate::name() const {
  return "none";
}

std::optional<double> NoEstimate::throughput(const JobView&, const Allocation&,
                                             const BatchPlan&) const {
  return std::nullopt;
}

std::optional<double> NoEstimate::noise_scale(const JobView&) const {
  return std::nullopt;
}

}  // namespace mimus::scheduler
