// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/models/model_on_machine.hpp"

namespace mimus::workloads {

const Fields<HostWork>& host_work_fields() {
  static const Fields<HostWork> fields{
      required_field("per_step", &HostWork::per_step, kNotNegative,
                     "host work per step that no kernel hides"),
      required_field("per_sample", &HostWork::per_sample, kNotNegative,
                     "host work per sample that no kernel hides"),
      field("contention", &HostWork::contention, between(0, 10),
            "relative growth of both for every further GPU in use on the node"),
      field("contended_gpus", &HostWork::contended_gpus, at_least(2),
            "GPUs in use on the node beyond which both grow no further (default: no limit)")};
  return fields;
}

const Fields<Efficiency>& efficiency_fields() {
  constexpr Limits kShare = between(1e-4, 1);
  static const Fields<Efficiency> fields{
      required_field("compute", &Efficiency::compute, kShare, "reached share of the peak FLOP/s"),
      required_field("memory", &Efficiency::memory, kShare,
                     "reached share of the peak memory bandwidth")};
  return fields;
}

const Fields<Validation>& validation_fields() {
  static const Fields<Validation> fields{
      required_field("source", &Validation::source, {}, "source of the step times of one GPU"),
      required_field("error", &Validation::error, kNotNegative,
                     "mean relative error of the modelled step times")};
  return fields;
}

}  // namespace mimus::workloads
