// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "base/fields.hpp"
#include "scheduler/recovery/adaptive.hpp"
#include "scheduler/recovery/retry.hpp"

namespace mimus::scheduler {
namespace {

using Q = Quarantine;

Fields<Q::Settings> quarantine_fields() {
  return {field("after", &Q::Settings::after, between(1, 1000),
                "number of failures after which a node is taken out"),
          field("counts", &Q::Settings::counts,
                {{"named", Q::Counts::named}, {"transient", Q::Counts::transient}},
                "failures that name the node, as outages and hardware errors do, or also those of "
                "machines, network and storage, on every node of the gang"),
          field("within", &Q::Settings::within, kPositive, "time for which a failure counts"),
          field("for", &Q::Settings::length, kPositive, "time for which the node is taken out")};
}

/// In one mapping, so that rows without it are written as before.
template <class S>
Field<S> quarantine_field() {
  return {{"quarantine",
           {.form = ValueSpec::Form::mapping},
           "-",
           "takes out nodes on which attempts keep failing: nothing new is placed there",
           parameters_of(quarantine_fields())},
          [](YamlReader& reader, S& settings) {
            if (!reader.has("quarantine")) return;
            YamlReader keys = reader.map("quarantine");
            settings.quarantine = read_fields(quarantine_fields(), keys);
            keys.finish();
          }};
}

Choice<Recovery> retry_choice() {
  using S = Retry::Settings;
  return choice<Recovery, Retry>(
      "retry", "start again after a failure, a fixed number of times",
      {field("retries", &S::retries, between(0, 1'000'000),
             "number of times that a failed job is started again"),
       field("delay", &S::delay, kNotNegative, "waiting time before the next attempt"),
       field("on_oom", &S::on_memory,
             {{"halve_batch", Retry::OnMemory::halve_batch}, {"give_up", Retry::OnMemory::give_up}},
             "out of memory: halve the per-GPU batch and accumulate more often, or give up"),
       quarantine_field<S>()});
}

Choice<Recovery> adaptive_choice() {
  using S = Adaptive::Settings;
  return choice<Recovery, Adaptive>(
      "adaptive", "start again if what has failed may not fail again (Philly's guidelines, ATC'19)",
      {field("transient_retries", &S::transient_retries, between(0, 1'000'000),
             "retries after failures of machines, network or storage"),
       field("unknown_retries", &S::unknown_retries, between(0, 1'000'000),
             "retries after other failures, except failures of users, which get none"),
       field("delay", &S::delay, kNotNegative,
             "waiting time before the first retry after a transient failure; it doubles each "
             "time"),
       field("alike", &S::alike, kFraction,
             "a job is given up if the times to two of its failures of the same kind differ by no "
             "more than this share"),
       field("on_oom", &S::on_memory,
             {{"halve_batch", Retry::OnMemory::halve_batch}, {"give_up", Retry::OnMemory::give_up}},
             "out of memory: halve the per-GPU batch and accumulate more often, or give up"),
       quarantine_field<S>()});
}

}  // namespace

const Registry<Recovery>& recovery_choices() {
  static const Registry<Recovery> table("recovery", {retry_choice(), adaptive_choice()});
  return table;
}

}  // namespace mimus::scheduler
