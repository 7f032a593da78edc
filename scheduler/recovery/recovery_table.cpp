// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "base/fields.hpp"
#include "scheduler/recovery/adaptive.hpp"
#include "scheduler/recovery/retry.hpp"

namespace mimus::scheduler {
namespace {

template <class S>
Fields<S> with_quarantine(const Fields<S>& fields) {
  using Q = Quarantine;
  return all_of<S>(
      {fields,
       within(&S::quarantine,
              Fields<Q::Settings>{
                  field("quarantine_after", &Q::Settings::after, between(0, 1000),
                        "failures of a node after which nothing new is placed on it; 0: never"),
                  field("quarantine_counts", &Q::Settings::counts,
                        {{"named", Q::Counts::named}, {"transient", Q::Counts::transient}},
                        "failures that name the node, as outages and hardware errors do, or also "
                        "those of machines, network and storage, on every node of the gang"),
                  field("quarantine_within", &Q::Settings::within, kPositive,
                        "time in which they count"),
                  field("quarantine", &Q::Settings::length, kPositive,
                        "time for which that is so")})});
}

Choice<Recovery> retry_choice() {
  using S = Retry::Settings;
  return choice<Recovery, Retry>(
      "retry", "start again after a failure, a fixed number of times",
      with_quarantine<S>(
          {field("retries", &S::retries, between(0, 1'000'000),
                 "number of times that a failed job is started again"),
           field("delay", &S::delay, kNotNegative, "waiting time before the next attempt"),
           field("on_oom", &S::on_memory,
                 {{"halve_batch", Retry::OnMemory::halve_batch},
                  {"give_up", Retry::OnMemory::give_up}},
                 "out of memory: halve the per-GPU batch and accumulate more often, or give up")}));
}

Choice<Recovery> adaptive_choice() {
  using S = Adaptive::Settings;
  return choice<Recovery, Adaptive>(
      "adaptive", "start again if what has failed may not fail again (Philly's guidelines, ATC'19)",
      with_quarantine<S>(
          {field("transient_retries", &S::transient_retries, between(0, 1'000'000),
                 "of failures of machines, network or storage"),
           field("unknown_retries", &S::unknown_retries, between(0, 1'000'000),
                 "of failures that are neither such ones nor of users, who get none"),
           field("delay", &S::delay, kNotNegative,
                 "waiting time before the first retry after a transient failure; it doubles each "
                 "time"),
           field("alike", &S::alike, kFraction,
                 "a job whose times to two failures of one kind differ by no more is given up"),
           field("on_oom", &S::on_memory,
                 {{"halve_batch", Retry::OnMemory::halve_batch},
                  {"give_up", Retry::OnMemory::give_up}},
                 "out of memory: halve the per-GPU batch and accumulate more often, or give up")}));
}

}  // namespace

const Registry<Recovery>& recovery_choices() {
  static const Registry<Recovery> table("recovery", {retry_choice(), adaptive_choice()});
  return table;
}

}  // namespace mimus::scheduler
