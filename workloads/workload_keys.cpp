// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/workload_keys.hpp"

namespace mimus::workloads {

WorkloadKeys read_workload_keys(YamlReader& workload) {
  WorkloadKeys keys;
  if (const auto seed = workload.get_if<std::int64_t>("seed", kNotNegative)) {
    keys.seed = static_cast<std::uint64_t>(*seed);
  }
  if (workload.has("duration_on")) keys.duration_on = workload.node("duration_on");
  return keys;
}

}  // namespace mimus::workloads
