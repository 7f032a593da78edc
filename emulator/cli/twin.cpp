// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/run/twin.hpp"

#include <cmath>
#include <cstdio>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json_text.hpp"
#include "emulator/cli/text/terminal.hpp"
#include "emulator/cli/text/text_table.hpp"
#include "emulator/cli/verbs.hpp"

namespace mimus::emulator::cli {
namespace {

constexpr const char* kTwinExamples =
    "  mimus twin configs/twin.yaml\n"
    "  mimus twin campaign.yaml --set engine.time_scale=30 -o results/twin";

struct TwinArguments {
  CampaignArguments campaign;
  RunOptions options;
  bool again = false;
  bool json = false;
};

std::string percent(double share) {
  return fmt::format("{:+.2f} %", 100.0 * share);
}

void print_table(const std::vector<TwinCell>& cells) {
  using Align = TextTable::Align;
  TextTable table({{"cell", Align::left},
                   {"jobs", Align::right},
                   {"live JCT s", Align::right},
                   {"virtual JCT s", Align::right},
                   {"error of mean", Align::right},
                   {"mean |error|", Align::right},
                   {"worst |error|", Align::right},
                   {"makespan", Align::right},
                   {"live late", Align::right}});
  for (const TwinCell& cell : cells) {
    table.add_row({cell.label, std::to_string(cell.jobs), fmt::format("{:.1f}", cell.live_jct_mean),
                   fmt::format("{:.1f}", cell.virtual_jct_mean), percent(cell.jct_mean_error),
                   fmt::format("{:.2f} %", 100.0 * cell.jct_error_mean),
                   fmt::format("{:.2f} % {}", 100.0 * cell.jct_error_worst, cell.worst_job),
                   percent(cell.makespan_error),
                   fmt::format("{:.2f} %", 100.0 * cell.live_late_share)});
  }
  fmt::print("{}", table.render(std::max(terminal_width(), 120)));
  double mean = 0.0;
  double worst = 0.0;
  for (const TwinCell& cell : cells) {
    mean += std::abs(cell.jct_mean_error) / static_cast<double>(cells.size());
    worst = std::max(worst, std::abs(cell.jct_mean_error));
  }
  fmt::print(
      "mean JCT, virtual against live: {:.2f} % off on average over the cells, {:.2f} % in the "
      "worst cell\n",
      100.0 * mean, 100.0 * worst);
}

void print_json(const std::vector<TwinCell>& cells) {
  auto list = nlohmann::ordered_json::array();
  for (const TwinCell& cell : cells) {
    list.push_back({{"label", cell.label},
                    {"jobs", cell.jobs},
                    {"live_jct_mean_s", cell.live_jct_mean},
                    {"virtual_jct_mean_s", cell.virtual_jct_mean},
                    {"jct_mean_error", cell.jct_mean_error},
                    {"jct_error_mean", cell.jct_error_mean},
                    {"jct_error_worst", cell.jct_error_worst},
                    {"worst_job", cell.worst_job},
                    {"makespan_error", cell.makespan_error},
                    {"live_late_share", cell.live_late_share}});
  }
  fmt::print("{}\n", json_text(nlohmann::ordered_json{{"cells", list}}, 2));
}

}  // namespace

Verb add_twin(CLI::App& app, Session& session) {
  auto arguments = std::make_shared<TwinArguments>();
  RunOptions& options = arguments->options;
  CLI::App* verb =
      add_verb(app, session, "twin", "Run a campaign in both engines and compare job by job.",
               kTwinExamples);
  add_campaign_options(*verb, arguments->campaign);
  verb->add_flag("--rerun", arguments->again, "also run complete cells again")->group("Campaign");
  verb->add_option("-o,--output", options.output_dir,
                   "result folder; mimus-results/<name>-twin if not given")
      ->option_text("DIR")
      ->group("Output");
  verb->add_flag("--json", arguments->json, "errors as JSON on stdout")->group("Output");
  verb->add_option("--mpirun-args", options.mpirun_args, "options for the mpirun that mimus starts")
      ->option_text("'ARGS'")
      ->group("Launch");
  return {verb, [arguments, &session] {
            RunOptions& run = arguments->options;
            run.campaign_path = arguments->campaign.path;
            run.overrides = arguments->campaign.overrides();
            run.rerun = arguments->again ? Rerun::all : Rerun::failed;
            run.table_width = terminal_width();
            run.verbosity = session.verbosity;
            run.command_line = session.argv;
            const auto cells = run_twin(run);
            arguments->json ? print_json(cells) : print_table(cells);
            return 0;
          }};
}

}  // namespace mimus::emulator::cli
