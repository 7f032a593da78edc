// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/host_ordered_device.hpp"

#include "kernels/host_ordered_step.hpp"

namespace mimus::kernels {
namespace {

HostOrderedCollective* host_ordered(Collective* collective) {
  auto* ordered = dynamic_cast<HostOrderedCollective*>(collective);
  ensure(collective == nullptr || ordered != nullptr,
         "a device that the host orders was given a collective that a device orders");
  return ordered;
}

}  // namespace

std::unique_ptr<TrainingStep> HostOrderedDevice::make_step(const GangCollectives& gang,
                                                           const FootprintPlan& plan) {
  return std::make_unique<HostOrderedStep>(*this, host_ordered(gang.data), plan);
}

}  // namespace mimus::kernels
