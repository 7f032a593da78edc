// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/cluster/price_keys.hpp"

#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace mimus::emulator {
namespace {

using C = ClusterConfig;

void check_prices(YamlReader& reader, const C& cluster) {
  if (cluster.price_per_gpu_hour.empty()) return;
  std::vector<std::string> types;
  for (int type = 0; type < cluster.shape.types(); ++type) {
    types.push_back(cluster.shape.type_name(type));
    if (cluster.price_per_gpu_hour.contains(types.back())) continue;
    reader.fail("price_per_gpu_hour",
                fmt::format("states no price of {}; state one of each GPU type of the cluster, 0 "
                            "where it costs nothing",
                            types.back()));
  }
  if (cluster.price_per_gpu_hour.size() == types.size()) return;
  reader.fail("price_per_gpu_hour", fmt::format("states prices of types that the cluster does not "
                                                "have; it has {}",
                                                fmt::join(types, ", ")));
}

}  // namespace

Field<ClusterConfig> price_field() {
  return field(
             "price_per_gpu_hour", &C::price_per_gpu_hour, kNotNegative,
             "GPU type to what an hour of one of its GPUs costs, in any currency; for the cost of "
             "a run in its results")
      .or_else("-")
      .then(check_prices);
}

}  // namespace mimus::emulator
