// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/policy/policy.hpp"
#include "scheduler/policy/policy_rows.hpp"

namespace mimus::scheduler {
namespace {

template <class Interface>
void describe(const Registry<Interface>& registry, const std::string& fallback,
              std::vector<PolicyDescription>& out) {
  for (const auto& choice : registry.choices()) {
    PolicyDescription& line = out.emplace_back();
    line.seam = registry.kind();
    line.choice = choice.name;
    line.summary = choice.summary;
    line.is_default = choice.name == fallback;
    line.parameters = choice.parameters;
  }
}

}  // namespace

std::vector<PolicyDescription> describe_policies() {
  std::vector<PolicyDescription> out;
  describe(admission_choices(), kDefaultAdmission, out);
  describe(estimate_choices({}), kDefaultEstimate, out);
  describe(order_choices(), kDefaultOrder, out);
  describe(planner_choices({}), kDefaultPlanner, out);
  describe(batch_choices(), kDefaultBatch, out);
  describe(placement_choices({}), kDefaultPlacement, out);
  describe(sharing_choices(), kDefaultSharing, out);
  describe(preemption_choices(), kDefaultPreemption, out);
  describe(recovery_choices(), kDefaultRecovery, out);
  describe(power_choices(), kDefaultPower, out);
  describe(cache_choices({}), kDefaultCache, out);
  return out;
}

}  // namespace mimus::scheduler
