// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/workload_keys.hpp"

namespace mimus::workloads {

namespace {

using W = WorkloadKeys;

/// Read by callers that know machine types.
Field<W> duration_on_field() {
  const ValueSpec spec{.form = ValueSpec::Form::one_or_mapping, .beyond = "as cluster.gpu"};
  return {{"duration_on", spec, "-",
           "the type, with usual nodes, on which stated run times of models hold; by default the "
           "cluster"},
          [](YamlReader& workload, W& keys) {
            if (workload.has("duration_on")) keys.duration_on = workload.node("duration_on");
          }};
}

}  // namespace

const Fields<WorkloadKeys>& workload_fields() {
  static const Fields<W> fields{
      field("seed", &W::seed, kNotNegative,
            "seed of what this workload draws, for any source; by default the campaign's"),
      duration_on_field()};
  return fields;
}

WorkloadKeys read_workload_keys(YamlReader& workload) {
  return read_fields(workload_fields(), workload);
}

}  // namespace mimus::workloads
