// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/workload_sources.hpp"

#include <algorithm>
#include <iterator>

#include "workloads/data_set_jobs.hpp"
#include "workloads/deadline_jobs.hpp"
#include "workloads/drawn_jobs.hpp"
#include "workloads/generate/generators.hpp"
#include "workloads/job_list.hpp"
#include "workloads/opportunistic_jobs.hpp"
#include "workloads/search/search.hpp"
#include "workloads/traces/formats/formats.hpp"
#include "workloads/workload_keys.hpp"

namespace mimus::workloads {
namespace {

/// Of sources that submit jobs in answer to what becomes of others.
void check_own_arrivals(YamlReader& reader) {
  for (const char* key : {"jobs_at_once", "draw"}) {
    if (!reader.has(key)) continue;
    reader.fail(key,
                "cannot be combined with a source that submits jobs as others end; leave it "
                "out, or set at_once");
  }
}

/// Generators, the list of jobs, and traces. The keys that all workloads have in common are
/// accepted here, but read by the code that makes the context.
std::vector<Choice<WorkloadSource>> all_sources() {
  std::vector<Choice<WorkloadSource>> all = generator_sources();
  all.push_back(search_source());
  all.push_back(job_list_source());
  std::ranges::move(trace_sources(), std::back_inserter(all));
  for (auto& choice : all) {
    choice.make =
        [make = std::move(choice.make)](YamlReader& reader) -> std::unique_ptr<WorkloadSource> {
      const WorkloadKeys keys = read_workload_keys(reader);
      auto source = make(reader);
      if (source->hears() != Hears::nothing) check_own_arrivals(reader);
      if (keys.draw) source = std::make_unique<DrawnJobs>(std::move(source), *keys.draw);
      const auto add_change = [&source](ChangedJobs::MakeChange change) {
        source = std::make_unique<ChangedJobs>(std::move(source), std::move(change));
      };
      if (keys.opportunistic > 0.0) add_change(drawn_opportunistic(keys.opportunistic));
      if (!keys.deadlines.empty()) add_change(drawn_deadlines(keys.deadlines));
      if (!keys.data_sets.empty()) {
        check_data_sets(reader, keys.data_sets);
        add_change(drawn_data_sets(keys.data_sets));
      }
      return source;
    };
  }
  return all;
}

}  // namespace

const Registry<WorkloadSource>& workload_sources() {
  static const Registry<WorkloadSource> registry("workload source", all_sources());
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
