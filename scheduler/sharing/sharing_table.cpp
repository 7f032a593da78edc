// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "base/fields.hpp"
#include "scheduler/sharing/exclusive.hpp"
#include "scheduler/sharing/fraction.hpp"
#include "scheduler/sharing/tenants.hpp"

namespace mimus::scheduler {
namespace {

/// Of choices that put up to `per_gpu` jobs, at most 64, on one GPU.
template <class Made>
Fields<typename Made::Settings> shared_fields(int least_per_gpu) {
  using S = typename Made::Settings;
  using Prefer = typename Made::Prefer;
  return {field("per_gpu", &S::per_gpu, between(least_per_gpu, 64), "most jobs on one GPU"),
          field("prefer", &S::prefer, {{"idle", Prefer::idle}, {"shared", Prefer::shared}},
                "which GPUs are tried first")};
}

Choice<Sharing> tenants_choice() {
  Fields<Tenants::Settings> fields = shared_fields<Tenants>(1);
  fields.push_back(field("same_gang", &Tenants::Settings::same_gang,
                         "only jobs with as many GPUs share one (Gavel, Lucid)"));
  return choice<Sharing, Tenants>(
      "tenants", "several jobs per GPU while their memory fits together", std::move(fields));
}

}  // namespace

std::int64_t Sharing::reluctance(const GpuState& gpu) const {
  return static_cast<std::int64_t>(gpu.tenants.size());
}

const Registry<Sharing>& sharing_choices() {
  static const Registry<Sharing> table(
      "sharing", {choice<Sharing, Exclusive>("exclusive", "one job per GPU"), tenants_choice(),
                  choice<Sharing, Fraction>(
                      "fraction", "each job the share of its GPUs that it asks for (gpu_share)",
                      shared_fields<Fraction>(2))});
  return table;
}

}  // namespace mimus::scheduler
