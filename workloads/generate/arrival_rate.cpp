// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/generate/arrival_rate.hpp"

#include <algorithm>

namespace mimus::workloads {

double ArrivalRate::mean_gap(double gpu_seconds, int cluster_gpus) const {
  if (mean_interarrival) return to_seconds(*mean_interarrival);
  return std::max(gpu_seconds / (load * cluster_gpus), to_seconds(Duration{1}));
}

ArrivalRate read_arrival_rate(YamlReader& reader) {
  ArrivalRate rate;
  const bool has_load = reader.has("load");
  if (has_load && reader.has("mean_interarrival")) {
    reader.fail("load", "cannot stand beside \"mean_interarrival\": state the rate once");
  }
  if (has_load) {
    rate.load = reader.get<double>("load", {.min = 1e-6, .max = 1e6});
  } else if (reader.has("mean_interarrival")) {
    rate.mean_interarrival = reader.get<Duration>("mean_interarrival", kPositive);
  } else {
    reader.fail("", "state how often jobs arrive: \"mean_interarrival\", or \"load\" of the GPUs");
  }
  return rate;
}

std::vector<ParameterInfo> arrival_rate_parameters() {
  return {{"mean_interarrival", "duration", "-", "> 0", "mean time between arrivals"},
          {"load", "number", "-", "> 0",
           "instead of it: expected GPU time of the jobs over that of the cluster"}};
}

}  // namespace mimus::workloads
