// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include "base/error.hpp"
#include "emulator/cli/text/terminal.hpp"
#include "emulator/cli/text/text_table.hpp"
#include "emulator/cli/workload/workload_output.hpp"
#include "emulator/cli/workload/workload_verbs.hpp"
#include "workloads/generate/generators.hpp"

namespace mimus::emulator::cli {
namespace {

constexpr const char* kWorkloadGenerateExamples =
    "  mimus workload generate                         the generators and their parameters\n"
    "  mimus workload generate diurnal --set jobs=5000 --set mean_interarrival='90 s' -o jobs.csv\n"
    "  mimus workload generate philly-like --set jobs=100000 --set load=0.8 --gpus 512 --seed 7\n"
    "  mimus workload generate poisson --models my-models --set mix='{unet: 1}' -o jobs.csv";

struct WorkloadGenerateArguments {
  std::string generator;
  WorkloadArguments workload;
  OutputArguments output;
};

std::string all_generators(int width) {
  TextTable table({{"generator"}, {"meaning (type, allowed values, default)"}});
  for (const auto& source : workloads::generator_sources()) {
    table.add_row({source.name, source.summary});
    for (const auto& p : source.parameters) {
      table.add_row(
          {"  " + p.name, parameter_text(p.summary, p.type(), p.range(), p.default_value)});
    }
  }
  return table.render(width);
}

void check_name(const std::string& generator) {
  std::vector<std::string> names;
  for (const auto& source : workloads::generator_sources()) names.push_back(source.name);
  if (std::find(names.begin(), names.end(), generator) != names.end()) return;
  throw UsageError(unknown_name_message("generator", generator, names));
}

int generate(const WorkloadGenerateArguments& arguments) {
  if (arguments.generator.empty()) {
    print(all_generators(terminal_width()));
    return 0;
  }
  check_name(arguments.generator);
  WorkloadArguments workload = arguments.workload;
  workload.source = arguments.generator;
  const WorkloadInput input = find_workload(workload);
  write_workload(*input.open(), arguments.output, input.description);
  return 0;
}

}  // namespace

Verb add_workload_generate(CLI::App& workload, Session& session) {
  auto arguments = std::make_shared<WorkloadGenerateArguments>();
  CLI::App* verb = add_verb(workload, session, "generate",
                            "Write the jobs of a generator; without a name, list them.",
                            kWorkloadGenerateExamples);
  verb->add_option("GENERATOR", arguments->generator, "its name");
  add_source_options(*verb, arguments->workload);
  add_output_options(*verb, arguments->output);
  return {verb, [arguments] { return generate(*arguments); }};
}

}  // namespace mimus::emulator::cli
