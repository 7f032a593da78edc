// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "emulator/campaign/runner.hpp"
#include "emulator/cli/terminal.hpp"
#include "emulator/cli/verbs.hpp"

namespace mimus::emulator::cli {
namespace {

constexpr const char* kExamples =
    "  mimus run configs/quickstart.yaml\n"
    "  mimus run campaign.yaml --set engine.time_scale=120 -o results/fast\n"
    "  mimus run campaign.yaml --only 003            one cell, by the start of its id\n"
    "  mpirun -n 17 mimus run campaign.yaml          in a world of your own\n"
    "  srun mimus run campaign.yaml                  inside a batch job\n"
    "  mimus run configs/philly.yaml --jobs 8        virtual cells, eight at a time";

struct Arguments {
  CampaignArguments campaign;
  RunOptions options;
  std::string slice;
};

}  // namespace

Verb add_run(CLI::App& app, Session& session) {
  auto arguments = std::make_shared<Arguments>();
  RunOptions& options = arguments->options;
  CLI::App* verb = add_verb(app, session, "run",
                            "Run a campaign, each cell into its own result file.", kExamples);
  add_campaign_options(*verb, arguments->campaign);
  verb->add_option("--only", options.only_cells, "run this cell only; repeatable")
      ->option_text("CELL")
      ->expected(1)
      ->take_all()
      ->group("Campaign");
  verb->add_flag("--rerun", options.rerun, "run cells again that are complete")->group("Campaign");
  verb->add_flag("-n,--dry-run", options.dry_run, "check everything, run nothing")
      ->group("Campaign");
  verb->add_option("-o,--output", options.output_dir,
                   "result folder; mimus-results/<name> if not given")
      ->option_text("DIR")
      ->group("Output");
  verb->add_flag("--json", options.json, "summary as JSON on stdout")->group("Output");
  verb->add_option("-j,--jobs", options.jobs, "virtual cells at a time; one per core if not given")
      ->option_text("N")
      ->check(CLI::Range(1, 4096))
      ->group("Launch");
  verb->add_option("--slice", arguments->slice,
                   "run the Kth of N parts of the virtual cells; a job array's task by itself")
      ->option_text("K/N")
      ->group("Launch");
  verb->add_option("--mpirun-args", options.mpirun_args, "passed to the mpirun that mimus starts")
      ->option_text("'ARGS'")
      ->group("Launch");
  return {verb, [arguments, &session] {
            RunOptions& run = arguments->options;
            run.campaign_path = arguments->campaign.path;
            run.overrides = arguments->campaign.overrides();
            if (!arguments->slice.empty()) run.slice = parse_slice(arguments->slice);
            run.table_width = terminal_width();
            run.verbosity = session.verbosity;
            run.command_line = session.argv;
            return run_campaign(run);
          }};
}

}  // namespace mimus::emulator::cli
