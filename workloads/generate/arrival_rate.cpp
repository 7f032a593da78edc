// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/generate/arrival_rate.hpp"

#include <algorithm>

namespace mimus::workloads {

double ArrivalRate::mean_gap(double gpu_seconds, int cluster_gpus) const {
  if (mean_interarrival) return to_seconds(*mean_interarrival);
  return std::max(gpu_seconds / (load * cluster_gpus), to_seconds(Duration{1}));
}

namespace {

void check_one_rate(YamlReader& reader, const ArrivalRate&) {
  const bool has_load = reader.has("load");
  if (has_load && reader.has("mean_interarrival")) {
    reader.fail("load", "cannot be combined with \"mean_interarrival\": state the rate once");
  }
  if (has_load || reader.has("mean_interarrival")) return;
  reader.fail("", "state how often jobs arrive: \"mean_interarrival\", or \"load\" of the GPUs");
}

}  // namespace

Fields<ArrivalRate> arrival_rate_fields() {
  using R = ArrivalRate;
  return {
      field("mean_interarrival", &R::mean_interarrival, kPositive, "mean time between arrivals"),
      optional_field("load", &R::load, between(1e-6, 1e6),
                     "instead of mean_interarrival: expected GPU time of the jobs divided by that "
                     "of the cluster")
          .then(check_one_rate)};
}

}  // namespace mimus::workloads
