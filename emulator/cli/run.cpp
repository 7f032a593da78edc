// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "emulator/cli/campaign_verbs.hpp"
#include "emulator/cli/text/one_of.hpp"
#include "emulator/cli/text/terminal.hpp"
#include "emulator/cli/verbs.hpp"
#include "emulator/run/runner.hpp"

namespace mimus::emulator::cli {
namespace {

constexpr const char* kRunExamples =
    "  mimus run configs/quickstart.yaml             short for mimus campaign run\n"
    "  mimus run campaign.yaml --set engine.time_scale=120 -o results/fast\n"
    "  mimus run campaign.yaml --only 003            one cell, by the start of its id\n"
    "  mimus run campaign.yaml --rerun failed        unfinished cells and those that failed\n"
    "  mpirun -n 17 mimus run campaign.yaml          in a world of your own\n"
    "  srun mimus run campaign.yaml                  inside a batch job\n"
    "  mimus run configs/philly.yaml --jobs 8        virtual cells, eight at a time";

constexpr const char* kResumeExamples =
    "  mimus campaign resume campaign.yaml                  what is interrupted or waiting\n"
    "  mimus campaign resume campaign.yaml --rerun failed   and what failed";

struct RunArguments {
  CampaignArguments campaign;
  RunOptions options;
  std::string slice;
  bool no_summary = false;
};

void add_cell_options(CLI::App& verb, RunOptions& options) {
  verb.add_option("--only", options.only_cells, "run only this cell; repeatable")
      ->option_text("CELL")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false)
      ->group("Campaign");
  verb.add_option_function<std::string>(
          "--rerun",
          [&options](const std::string& which) {
            options.rerun = which == "failed" ? Rerun::failed : Rerun::all;
          },
          "also run cells that failed, or all cells; all if no value is given")
      ->option_text("failed|all")
      ->expected(0, 1)
      ->default_str("all")
      ->check(one_of({"failed", "all"}))
      ->group("Campaign");
  verb.add_flag("-n,--dry-run", options.dry_run, "check everything, run nothing")
      ->group("Campaign");
}

void add_launch_options(CLI::App& verb, RunArguments& arguments) {
  verb.add_option("-j,--jobs", arguments.options.jobs,
                  "virtual cells that run at the same time, by default one per core; live cells "
                  "run one by one")
      ->option_text("N")
      ->check(CLI::Range(1, 4096))
      ->group("Launch");
  verb.add_option("--slice", arguments.slice,
                  "run the Kth of N parts of the cells; tasks of a job array do so by default")
      ->option_text("K/N")
      ->group("Launch");
  verb.add_option("--mpirun-args", arguments.options.mpirun_args,
                  "options for the mpirun that mimus starts")
      ->option_text("'ARGS'")
      ->group("Launch");
}

int run(RunArguments& arguments, const Session& session) {
  RunOptions& options = arguments.options;
  options.campaign_path = arguments.campaign.path;
  options.overrides = arguments.campaign.overrides();
  options.summary = !arguments.no_summary;
  if (!arguments.slice.empty()) options.slice = parse_slice(arguments.slice);
  options.table_width = terminal_width();
  options.verbosity = session.verbosity;
  options.command_line = session.argv;
  return run_campaign(options);
}

Verb with_options(CLI::App* verb, Session& session, bool resume) {
  auto arguments = std::make_shared<RunArguments>();
  arguments->options.resume = resume;
  add_campaign_options(*verb, arguments->campaign);
  add_cell_options(*verb, arguments->options);
  add_output_folder(*verb, arguments->options.output_dir);
  verb->add_flag_callback(
          "--each",
          [options = arguments] { options->options.table_rows = results::TableRows::runs; },
          "summary with one row per run instead of means over repetitions")
      ->group("Output");
  verb->add_flag("--json", arguments->options.json, "summary as JSON on stdout")->group("Output");
  verb->add_flag("--no-summary", arguments->no_summary, "no summary on stdout")->group("Output");
  add_launch_options(*verb, *arguments);
  return {verb, [arguments, &session] { return run(*arguments, session); }};
}

}  // namespace

Verb add_run(CLI::App& app, Session& session) {
  return with_options(add_verb(app, session, "run",
                               "Run a campaign, each cell into its own result file.", kRunExamples),
                      session, false);
}

Verb add_campaign_resume(CLI::App& campaign, Session& session) {
  return with_options(
      add_verb(campaign, session, "resume",
               "Continue a campaign: run the cells that are not finished.", kResumeExamples),
      session, true);
}

}  // namespace mimus::emulator::cli
