// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/quantity_text.hpp"
#include "emulator/cli/text/terminal.hpp"
#include "emulator/cli/verbs.hpp"
#include "emulator/slurm/slurm_submit.hpp"
#include "emulator/slurm/slurm_wait.hpp"

namespace mimus::emulator::cli {
namespace {

constexpr const char* kSubmitExamples =
    "  mimus submit configs/quickstart.yaml --dry-run     the scripts, and how they are submitted\n"
    "  mimus submit campaign.yaml --array                 one job array task per cell\n"
    "  mimus submit campaign.yaml --wait                  print the progress until it is done\n"
    "  mimus submit campaign.yaml --set resources.walltime='2 h' --set resources.partition=gpu";

struct SubmitArguments {
  CampaignArguments campaign;
  SubmitOptions options;
  bool dry_run = false;
  bool wait = false;
  bool no_aggregate = false;
  std::string wait_limit = "7 d";
};

Duration wait_limit(const SubmitArguments& arguments) {
  const auto limit = parse_duration(arguments.wait_limit);
  if (limit && *limit > Duration{}) return *limit;
  throw UsageError(fmt::format("--wait-limit \"{}\": expected a duration with a unit ({})",
                               arguments.wait_limit, kDurationUnits));
}

SubmitOptions submit_options(const SubmitArguments& arguments, const Campaign& campaign) {
  SubmitOptions out = arguments.options;
  out.campaign_path = arguments.campaign.path;
  out.aggregate = !arguments.no_aggregate;
  out.program = std::filesystem::read_symlink("/proc/self/exe").string();
  if (out.output_dir.empty()) out.output_dir = "mimus-results/" + campaign.name;
  for (const Override& setting : arguments.campaign.overrides()) {
    out.settings.push_back(setting.path + "=" + setting.value);
  }
  return out;
}

int wait_for_end(const SubmitArguments& arguments, const Campaign& campaign, const SlurmPlan& plan,
                 const std::string& output_dir, const std::vector<std::string>& jobs) {
  const std::size_t left = wait_for_jobs(campaign, output_dir, jobs, wait_limit(arguments));
  const std::string failed = jobs_that_failed(jobs);
  if (left == 0 && failed.empty()) return 0;
  throw Error(ExitCode::run_failed,
              fmt::format("{} of {} cells are complete{}; see the logs in {}, then submit again: "
                          "complete cells are kept",
                          campaign.cells.size() - left, campaign.cells.size(),
                          failed.empty() ? "" : ", but not all jobs succeeded: job " + failed,
                          plan.folder));
}

int submit_campaign(const SubmitArguments& arguments) {
  const Campaign campaign = load_campaign(arguments.campaign.path, arguments.campaign.overrides());
  log_notes(campaign);
  const SubmitOptions options = submit_options(arguments, campaign);
  const SlurmPlan plan = plan_submission(campaign, options);
  if (arguments.dry_run) {
    print(dry_run_text(plan));
    return 0;
  }
  (void)wait_limit(arguments);  // checks the limit before anything is submitted
  const auto jobs = submit(plan);
  log::info("{}; submitted; scripts and logs in {}", plan.headline, plan.folder);
  print(fmt::format("{}\n", fmt::join(jobs, "\n")));
  return arguments.wait ? wait_for_end(arguments, campaign, plan, options.output_dir, jobs) : 0;
}

}  // namespace

Verb add_submit(CLI::App& app, Session& session) {
  auto arguments = std::make_shared<SubmitArguments>();
  CLI::App* verb =
      add_verb(app, session, "submit",
               "Submit a campaign to Slurm with the resources that it states.", kSubmitExamples);
  add_campaign_options(*verb, arguments->campaign);
  verb->add_option("-o,--output", arguments->options.output_dir,
                   "result folder; mimus-results/<name> if not given")
      ->option_text("DIR")
      ->group("Output");
  verb->add_flag("--array", arguments->options.array,
                 "submit a job array: one task per cell, or resources.array_tasks tasks")
      ->group("Jobs");
  verb->add_flag("--no-aggregate", arguments->no_aggregate,
                 "do not submit the job that merges the results afterwards")
      ->group("Jobs");
  verb->add_flag("-n,--dry-run", arguments->dry_run,
                 "print the scripts and the sbatch lines; submit nothing")
      ->group("Jobs");
  verb->add_flag("--wait", arguments->wait, "wait for the jobs and print their progress")
      ->group("Jobs");
  verb->add_option("--wait-limit", arguments->wait_limit, "give up waiting after this; 7 d")
      ->option_text("DURATION")
      ->group("Jobs");
  return {verb, [arguments] { return submit_campaign(*arguments); }};
}

}  // namespace mimus::emulator::cli
