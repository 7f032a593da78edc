// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "emulator/cli/workload/workload_output.hpp"
#include "emulator/cli/workload/workload_verbs.hpp"

namespace mimus::emulator::cli {
namespace {

constexpr const char* kWorkloadConvertExamples =
    "  mimus workload convert cluster_job_log.json -o jobs.csv\n"
    "  mimus workload convert trace.csv --set first=20 --to jobs -o jobs.yaml\n"
    "  mimus workload convert campaign.yaml > jobs.csv";

struct WorkloadConvertArguments {
  WorkloadArguments workload;
  OutputArguments output;
};

int convert(const WorkloadConvertArguments& arguments) {
  const WorkloadInput input = find_workload(arguments.workload);
  write_workload(*input.open(), arguments.output, input.description);
  return 0;
}

}  // namespace

Verb add_workload_convert(CLI::App& workload, Session& session) {
  auto arguments = std::make_shared<WorkloadConvertArguments>();
  CLI::App* verb =
      add_verb(workload, session, "convert",
               "Write any workload as native CSV or as a list of jobs.", kWorkloadConvertExamples);
  add_workload_options(*verb, arguments->workload);
  add_output_options(*verb, arguments->output);
  return {verb, [arguments] { return convert(*arguments); }};
}

}  // namespace mimus::emulator::cli
