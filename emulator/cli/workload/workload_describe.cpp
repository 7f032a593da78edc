// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "base/json_text.hpp"
#include "emulator/cli/text/terminal.hpp"
#include "emulator/cli/workload/workload_input.hpp"
#include "emulator/cli/workload/workload_report.hpp"
#include "emulator/cli/workload/workload_verbs.hpp"
#include "workloads/statistics/statistics_collector.hpp"

namespace mimus::emulator::cli {
namespace {

constexpr const char* kWorkloadDescribeExamples =
    "  mimus workload describe trace.csv --gpus 512\n"
    "  mimus workload describe campaign.yaml --cell 003\n"
    "  mimus workload describe --source pai-like --set jobs=100000 --set load=0.9 --gpus 1024\n"
    "  mimus workload describe trace.csv --set until='7 d' --json | jq .run_time_s.p50";

struct WorkloadDescribeArguments {
  WorkloadArguments workload;
  bool json = false;
};

int describe(const WorkloadDescribeArguments& arguments) {
  const WorkloadInput input = find_workload(arguments.workload);
  const auto jobs = input.open();
  WorkloadDescription description;
  description.statistics = workloads::statistics_of(*jobs, input.models, input.run_times());
  description.from = input.description;
  description.source = jobs->source();
  description.source_hash = jobs->source_hash();
  description.notes = jobs->notes();
  description.gpus = input.gpus;
  print(arguments.json ? json_text(as_json(description), 2) + "\n"
                       : as_text(description, terminal_width()));
  return 0;
}

}  // namespace

Verb add_workload_describe(CLI::App& workload, Session& session) {
  auto arguments = std::make_shared<WorkloadDescribeArguments>();
  CLI::App* verb = add_verb(workload, session, "describe",
                            "Sizes, times, load, users and recurrence of a workload, with plots.",
                            kWorkloadDescribeExamples);
  add_workload_options(*verb, arguments->workload);
  verb->add_flag("--json", arguments->json, "JSON on stdout")->group("Output");
  return {verb, [arguments] { return describe(*arguments); }};
}

}  // namespace mimus::emulator::cli
