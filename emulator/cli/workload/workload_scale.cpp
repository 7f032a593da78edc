// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "base/error.hpp"
#include "emulator/cli/text/number_range.hpp"
#include "emulator/cli/workload/workload_output.hpp"
#include "emulator/cli/workload/workload_verbs.hpp"
#include "workloads/generate/scaled_stream.hpp"

namespace mimus::emulator::cli {
namespace {

constexpr const char* kWorkloadScaleExamples =
    "  mimus workload scale trace.csv --load 0.9 --gpus 512 -o loaded.csv\n"
    "  mimus workload scale trace.csv --arrivals 2 --run-times 0.5 -o faster.csv\n"
    "  mimus workload scale trace.csv --gangs 4 --max-gang 64 -o larger.csv\n"
    "  mimus workload scale week.csv --repeat 10 -o ten-weeks.csv";

struct WorkloadScaleArguments {
  WorkloadArguments workload;
  OutputArguments output;
  workloads::ScaleSettings scale;
  std::optional<double> load;
};

workloads::ScaleSettings settings_for(const WorkloadScaleArguments& arguments,
                                      const WorkloadInput& input) {
  workloads::ScaleSettings settings = arguments.scale;
  if (!arguments.load) return settings;
  if (!input.gpus) {
    throw UsageError("a load is relative to the cluster: give its number of GPUs with --gpus N");
  }
  settings.arrivals =
      workloads::arrivals_for_load([&input] { return input.open(); }, settings, *arguments.load,
                                   *input.gpus, input.models, input.run_times());
  return settings;
}

int scale(const WorkloadScaleArguments& arguments) {
  const WorkloadInput input = find_workload(arguments.workload);
  workloads::ScaledStream jobs([&input] { return input.open(); }, settings_for(arguments, input),
                               input.models, input.run_times());
  write_workload(jobs, arguments.output, input.description);
  return 0;
}

void add_factor(CLI::App& verb, const std::string& name, double& value,
                const std::string& meaning) {
  verb.add_option(name, value, meaning)
      ->option_text("F")
      ->check(number_between(1e-6, 1e6))
      ->group("Scale");
}

}  // namespace

Verb add_workload_scale(CLI::App& workload, Session& session) {
  auto arguments = std::make_shared<WorkloadScaleArguments>();
  workloads::ScaleSettings& settings = arguments->scale;
  CLI::App* verb =
      add_verb(workload, session, "scale",
               "Change load, run times or gang sizes, or repeat in time.", kWorkloadScaleExamples);
  add_workload_options(*verb, arguments->workload);
  add_factor(*verb, "--arrivals", settings.arrivals, "jobs arrive F times as often");
  verb->add_option("--load", arguments->load,
                   "instead of --arrivals: scale arrivals to this offered load on --gpus")
      ->option_text("L")
      ->check(number_between(1e-6, 1e6))
      ->excludes("--arrivals")
      ->group("Scale");
  add_factor(*verb, "--run-times", settings.run_times,
             "multiply run times, work and estimates by F");
  add_factor(*verb, "--gangs", settings.gangs,
             "multiply gangs by F and round; run times do not change");
  verb->add_option("--max-gang", settings.max_gang, "cut larger gangs down to N")
      ->option_text("N")
      ->check(CLI::Range(1, 1'000'000))
      ->group("Scale");
  verb->add_option("--repeat", settings.repeat, "repeat the workload N times, one after another")
      ->option_text("N")
      ->check(CLI::Range(1, 1'000'000))
      ->group("Scale");
  add_output_options(*verb, arguments->output);
  return {verb, [arguments] { return scale(*arguments); }};
}

}  // namespace mimus::emulator::cli
