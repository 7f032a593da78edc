// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/sharing/exclusive.hpp"
#include "scheduler/sharing/tenants.hpp"

namespace mimus::scheduler {
namespace {

std::unique_ptr<Sharing> make_tenants(YamlReader& reader) {
  Tenants::Settings settings;
  settings.per_gpu =
      static_cast<int>(reader.get_or<std::int64_t>("per_gpu", 2, Limits{.min = 1.0, .max = 64.0}));
  if (reader.choice_or("prefer", {"idle", "shared"}, "idle") == "shared") {
    settings.prefer = Tenants::Prefer::shared;
  }
  return std::make_unique<Tenants>(settings);
}

}  // namespace

const Registry<Sharing>& sharing_choices() {
  static const Registry<Sharing> table(
      "sharing", {{"exclusive",
                   "one job per GPU",
                   {},
                   [](YamlReader&) { return std::make_unique<Exclusive>(); }},
                  {"tenants",
                   "several jobs per GPU while their memory fits together",
                   {{"per_gpu", "integer", "2", ">= 1 and <= 64", "most jobs on one GPU"},
                    {"prefer", "text", "idle", "idle or shared", "which GPUs are tried first"}},
                   make_tenants}});
  return table;
}

}  // namespace mimus::scheduler
