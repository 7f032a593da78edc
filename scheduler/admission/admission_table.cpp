// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/admission/accept_all.hpp"
#include "scheduler/admission/quota.hpp"

namespace mimus::scheduler {
namespace {

int read_gpus(const ConfigNode& node, const std::string& path) {
  return static_cast<int>(
      read_scalar<std::int64_t>(node, path, Limits{.min = 0.0, .max = 1'000'000.0}));
}

std::unique_ptr<Admission> make_quota(YamlReader& reader) {
  Quota::Settings settings;
  const YamlReader quotas = reader.map("gpus");
  for (const auto& [virtual_cluster, value] : quotas.mapping().members) {
    settings.quotas[virtual_cluster] = read_gpus(value, quotas.child_path(virtual_cluster));
  }
  if (reader.has("others")) {
    settings.others = read_gpus(reader.node("others"), reader.child_path("others"));
  }
  settings.borrow = reader.get_or("borrow", false);
  return std::make_unique<Quota>(std::move(settings));
}

}  // namespace

std::string Admission::group(const JobView&) const {
  return "";
}

const Registry<Admission>& admission_choices() {
  static const Registry<Admission> table(
      "admission",
      {{"accept_all",
        "every job may enter at any time",
        {},
        [](YamlReader&) { return std::make_unique<AcceptAll>(); }},
       {"quota",
        "a job waits while its virtual cluster would exceed its GPU quota (Philly, ATC'19)",
        {{"gpus", "mapping", "", "virtual cluster: GPUs >= 0", "quota of each virtual cluster"},
         {"others", "integer", "-", ">= 0",
          "quota of virtual clusters not named; no limit without"},
         {"borrow", "boolean", "false", "true or false", "idle GPUs may be used beyond the quota"}},
        make_quota}});
  return table;
}

}  // namespace mimus::scheduler
