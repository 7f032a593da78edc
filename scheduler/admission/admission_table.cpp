// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "base/fields.hpp"
#include "scheduler/admission/accept_all.hpp"
#include "scheduler/admission/at_once.hpp"
#include "scheduler/admission/quota.hpp"

namespace mimus::scheduler {
namespace {

constexpr Limits kQuota = between(0, 1'000'000);

Choice<Admission> quota_choice() {
  using S = Quota::Settings;
  return choice<Admission, Quota>(
      "quota", "a job waits while its virtual cluster would exceed its GPU quota (Philly, ATC'19)",
      {required_field("gpus", &S::quotas, kQuota, "quota of each virtual cluster")
           .beyond("virtual cluster: GPUs >= 0"),
       field("others", &S::others, kQuota,
             "quota of virtual clusters that are not named; default: no limit"),
       field("borrow", &S::borrow, "idle GPUs may be used beyond the quota")});
}

}  // namespace

std::string Admission::group(const JobView&) const {
  return "";
}

std::optional<int> Admission::quota(const JobView&) const {
  return std::nullopt;
}

const Registry<Admission>& admission_choices() {
  static const Registry<Admission> table(
      "admission",
      {choice<Admission, AcceptAll>("accept_all", "every job may enter at any time"),
       choice<Admission, AtOnce>("at_once", "a job that cannot start when it arrives is rejected"),
       quota_choice()});
  return table;
}

}  // namespace mimus::scheduler
