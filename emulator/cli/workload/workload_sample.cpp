// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/quantity_text.hpp"
#include "emulator/cli/text/one_of.hpp"
#include "emulator/cli/workload/workload_output.hpp"
#include "emulator/cli/workload/workload_verbs.hpp"
#include "workloads/generate/sampled_stream.hpp"

namespace mimus::emulator::cli {
namespace {

constexpr const char* kWorkloadSampleExamples =
    "  mimus workload sample trace.csv --jobs 1000 --seed 7 -o small.csv\n"
    "  mimus workload sample trace.csv --jobs 1000 --stratify gang -o small.csv\n"
    "  mimus workload sample trace.csv --from '14 d' --until '21 d' -o week.csv";

struct WorkloadSampleArguments {
  WorkloadArguments workload;
  OutputArguments output;
  std::optional<std::int64_t> jobs;
  std::string from, until;
  std::string stratify = "none";
};

std::optional<Duration> time_option(const char* option, const std::string& text) {
  if (text.empty()) return std::nullopt;
  const auto time = parse_duration(text);
  if (time && *time >= Duration{}) return time;
  throw UsageError(fmt::format("{} \"{}\": expected a duration with a unit ({}), e.g. {} '7 d'",
                               option, text, kDurationUnits, option));
}

workloads::SampleSettings settings_of(const WorkloadSampleArguments& arguments) {
  workloads::SampleSettings settings;
  settings.jobs = arguments.jobs;
  settings.from = time_option("--from", arguments.from);
  settings.until = time_option("--until", arguments.until);
  settings.stratified = arguments.stratify == "gang";
  settings.seed = static_cast<std::uint64_t>(arguments.workload.seed.value_or(0));
  if (!settings.jobs && !settings.from && !settings.until) {
    throw UsageError("state what to take: --jobs N, --from TIME or --until TIME");
  }
  return settings;
}

int sample(const WorkloadSampleArguments& arguments) {
  const auto settings = settings_of(arguments);
  const WorkloadInput input = find_workload(arguments.workload);
  workloads::SampledStream jobs([&input] { return input.open(); }, settings);
  write_workload(jobs, arguments.output, input.description);
  return 0;
}

}  // namespace

Verb add_workload_sample(CLI::App& workload, Session& session) {
  auto arguments = std::make_shared<WorkloadSampleArguments>();
  CLI::App* verb =
      add_verb(workload, session, "sample",
               "Take some of the jobs with their arrival times, so that busy hours stay busy.",
               kWorkloadSampleExamples);
  add_workload_options(*verb, arguments->workload);
  verb->add_option("--jobs", arguments->jobs, "number of jobs, drawn at random by --seed")
      ->option_text("N")
      ->check(CLI::Range(std::int64_t{1}, std::numeric_limits<std::int64_t>::max()))
      ->group("Sample");
  verb->add_option(
          "--stratify", arguments->stratify,
          "gang: every gang size keeps its share; none (default): all jobs are equally likely")
      ->option_text("BY")
      ->check(one_of({"none", "gang"}))
      ->group("Sample");
  verb->add_option("--from", arguments->from, "skip jobs before this time, which becomes zero")
      ->option_text("TIME")
      ->group("Sample");
  verb->add_option("--until", arguments->until, "skip jobs from this time on")
      ->option_text("TIME")
      ->group("Sample");
  add_output_options(*verb, arguments->output);
  return {verb, [arguments] { return sample(*arguments); }};
}

}  // namespace mimus::emulator::cli
