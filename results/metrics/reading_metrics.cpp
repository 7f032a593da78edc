// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/metrics/reading_metrics.hpp"

#include "results/metrics/metric_value.hpp"

namespace mimus::results {
namespace {

bool any_read(const Observed& seen) {
  return seen.totals.total("data_read") > 0;
}
bool any_speed(const Observed& seen) {
  return seen.totals.total("data_tenants") > 0;
}
bool any_share(const Observed& seen) {
  return seen.totals.total("cache_share_squares") > 0;
}

Figure hit_ratio(const Observed& seen) {
  return seen.totals.total("data_hit") / seen.totals.total("data_read");
}

Figure mean_speedup(const Observed& seen) {
  return seen.totals.total("data_speedup") / seen.totals.total("data_tenants");
}

/// Jain's fairness index (Jain et al., 1984): (Σx)² ÷ (n·Σx²).
Figure evenness(const Observed& seen) {
  const double sum = seen.totals.total("cache_shares");
  return sum * sum /
         (seen.totals.total("cache_tenants") * seen.totals.total("cache_share_squares"));
}

}  // namespace

std::vector<Metric> reading_metrics() {
  return {
      {"cache_hit_ratio", "", Better::higher, Shown::percent, "share of data read from the cache",
       "Σ `hit` ÷ Σ `read` over `tenants`, where jobs read data sets through links",
       when(any_read, hit_ratio), "", 0, "data read from cache", 7},
      {"tenant_speedup", "", Better::higher, Shown::factor, "mean speed-up of tenants by the cache",
       "mean of `speed` ÷ `speed_uncached` over `tenants`", when(any_speed, mean_speedup), "", 0,
       "speed-up by cache", 7},
      {"tenant_speedup_least", "", Better::higher, Shown::factor,
       "least speed-up of a tenant by the cache", "the least `speed` ÷ `speed_uncached`",
       when(any_speed, total("data_least_speedup")), "", 0, "least speed-up of a tenant", 7},
      {"cache_fairness", "", Better::higher, Shown::number, "fairness of the cache to tenants",
       "Jain's index of Vᵢ ÷ wᵢ, with V = `worth` ÷ `worth_alone` and w = `weight` (Kunjir et "
       "al., ROBUS, SIGMOD 2017; Jain et al., 1984)",
       when(any_share, evenness), "", 0, "fairness of the cache", 7}};
}

}  // namespace mimus::results
