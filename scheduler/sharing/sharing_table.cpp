// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/sharing/exclusive.hpp"
#include "scheduler/sharing/fraction.hpp"
#include "scheduler/sharing/tenants.hpp"

namespace mimus::scheduler {
namespace {

int read_per_gpu(YamlReader& reader, std::int64_t least, std::int64_t fallback) {
  const Limits limits{.min = static_cast<double>(least), .max = 64.0};
  return static_cast<int>(reader.get_or<std::int64_t>("per_gpu", fallback, limits));
}

std::unique_ptr<Sharing> make_tenants(YamlReader& reader) {
  Tenants::Settings settings;
  settings.per_gpu = read_per_gpu(reader, 1, 2);
  if (reader.choice_or("prefer", {"idle", "shared"}, "idle") == "shared") {
    settings.prefer = Tenants::Prefer::shared;
  }
  settings.same_gang = reader.get_or("same_gang", false);
  return std::make_unique<Tenants>(settings);
}

std::unique_ptr<Sharing> make_fraction(YamlReader& reader) {
  Fraction::Settings settings;
  settings.per_gpu = read_per_gpu(reader, 2, 8);
  if (reader.choice_or("prefer", {"idle", "shared"}, "shared") == "idle") {
    settings.prefer = Fraction::Prefer::idle;
  }
  return std::make_unique<Fraction>(settings);
}

}  // namespace

std::int64_t Sharing::reluctance(const GpuState& gpu) const {
  return static_cast<std::int64_t>(gpu.tenants.size());
}

const Registry<Sharing>& sharing_choices() {
  static const Registry<Sharing> table(
      "sharing", {{"exclusive",
                   "one job per GPU",
                   {},
                   [](YamlReader&) { return std::make_unique<Exclusive>(); }},
                  {"tenants",
                   "several jobs per GPU while their memory fits together",
                   {{"per_gpu", "integer", "2", ">= 1 and <= 64", "most jobs on one GPU"},
                    {"prefer", "text", "idle", "idle or shared", "which GPUs are tried first"},
                    {"same_gang", "boolean", "false", "true or false",
                     "only jobs with as many GPUs share one (Gavel, Lucid)"}},
                   make_tenants},
                  {"fraction",
                   "each job the share of its GPUs that it asks for (gpu_share)",
                   {{"per_gpu", "integer", "8", ">= 2 and <= 64", "most jobs on one GPU"},
                    {"prefer", "text", "shared", "idle or shared", "which GPUs are tried first"}},
                   make_fraction}});
  return table;
}

}  // namespace mimus::scheduler
