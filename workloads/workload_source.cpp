// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/workload_source.hpp"

#include "workloads/generate/generators.hpp"
#include "workloads/job_list.hpp"
#include "workloads/traces/formats.hpp"
#include "workloads/workload_keys.hpp"

namespace mimus::workloads {
namespace {

/// The sources may be given the keys of all workloads, which are read by who makes the context.
std::vector<Choice<WorkloadSource>> with_workload_keys(std::vector<Choice<WorkloadSource>> all) {
  for (auto& choice : all) {
    choice.make = [make = std::move(choice.make)](YamlReader& reader) {
      (void)read_workload_keys(reader);
      return make(reader);
    };
  }
  return all;
}

}  // namespace

const Registry<WorkloadSource>& workload_sources() {
  static const Registry<WorkloadSource> registry(
      "workload source",
      with_workload_keys({poisson_source(), diurnal_source(), philly_like_source(),
                          pai_like_source(), recurring_source(), pollux_source(), job_list_source(),
                          native_csv_source(), philly_source(), philly_json_source(), pai_source(),
                          pai_tables_source(), helios_source(), acme_source(), openb_source(),
                          tiresias_source(), muri_source(), gavel_source(), shockwave_source()}));
  return registry;
}

std::unique_ptr<WorkloadSource> make_workload_source(const ConfigNode& node,
                                                     const std::string& path) {
  YamlReader reader(node, path);
  const auto name = reader.get<std::string>("source");
  for (const auto& choice : workload_sources().choices()) {
    if (choice.name != name) continue;
    auto source = choice.make(reader);
    reader.finish();
    return source;
  }
  reader.fail("source", unknown_name_message("workload source", name, workload_sources().names()));
}

}  // namespace mimus::workloads
