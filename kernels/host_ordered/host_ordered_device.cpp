// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/host_ordered/host_ordered_device.hpp"

#include "kernels/host_ordered/host_ordered_split_step.hpp"
#include "kernels/host_ordered/host_ordered_step.hpp"

namespace mimus::kernels {

std::unique_ptr<TrainingStep> HostOrderedDevice::make_step(const GangCollectives& gang,
                                                           const FootprintPlan& plan) {
  const HostOrderedGang ordered(gang);
  if (plan.split) return std::make_unique<HostOrderedSplitStep>(*this, ordered, plan);
  return std::make_unique<HostOrderedStep>(*this, ordered.data, plan);
}

}  // namespace mimus::kernels
