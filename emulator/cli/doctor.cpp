// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/doctor/doctor.hpp"

#include <memory>

#include "base/error.hpp"
#include "emulator/cli/text/number_range.hpp"
#include "emulator/cli/verbs.hpp"
#include "emulator/run/cell_run.hpp"

namespace mimus::emulator::cli {
namespace {

constexpr const char* kDoctorExamples =
    "  mimus doctor                      a small world on this machine\n"
    "  mimus doctor -n 17                a world of 17 ranks\n"
    "  mimus doctor campaign.yaml        the world of a campaign, with its GPU types\n"
    "  srun --mpi=pmix mimus doctor      the world of a batch job";

struct DoctorArguments {
  CampaignArguments campaign;
  DoctorOptions options;
};

/// UsageError if the campaign has no live cells, because virtual ones run on any machine.
CampaignNeeds needs_of(const Campaign& campaign) {
  CampaignNeeds needs{.world = world_shape(campaign), .cells = {}};
  for (std::size_t i = 0; i < campaign.cells.size(); ++i) {
    if (campaign.cells[i].settings->engine.kind != EngineConfig::Kind::live) continue;
    needs.cells.push_back(live_cell(campaign, static_cast<int>(i), needs.world));
  }
  if (needs.cells.empty()) {
    throw UsageError(campaign.path +
                     ": all cells are virtual, and run on any machine with "
                     "\"mimus run\"; name a campaign with live cells, or none");
  }
  return needs;
}

int examine(DoctorArguments& arguments) {
  if (arguments.campaign.path.empty()) return run_doctor(arguments.options);
  const Campaign campaign = load_campaign(arguments.campaign.path, arguments.campaign.overrides());
  arguments.options.campaign = needs_of(campaign);
  return run_doctor(arguments.options);
}

}  // namespace

Verb add_doctor(CLI::App& app, Session& session) {
  auto arguments = std::make_shared<DoctorArguments>();
  DoctorOptions& options = arguments->options;
  CLI::App* verb =
      add_verb(app, session, "doctor", "Check in stages whether this machine can run a campaign.",
               kDoctorExamples);
  add_campaign_options(*verb, arguments->campaign);
  CLI::Option* campaign = verb->get_option("CAMPAIGN")->required(false);
  for (CLI::Option* option : verb->get_options()) {
    if (option->get_group() == "Campaign") option->needs(campaign);
  }
  verb->add_option("-n,--ranks", options.ranks, "size of the world to try, without a campaign")
      ->option_text("N")
      ->check(CLI::Range(2, 1'000'000))
      ->excludes(campaign)
      ->group("Checks");
  verb->add_option("--timeout", options.timeout_s, "seconds that each stage may take (20)")
      ->option_text("SECONDS")
      ->check(number_between(0.1, 3600.0))
      ->group("Checks");
  verb->add_flag("--json", options.json, "findings as JSON on stdout")->group("Output");
  return {verb, [arguments, &session] {
            arguments->options.verbosity = session.verbosity;
            arguments->options.command_line = session.argv;
            return examine(*arguments);
          }};
}

}  // namespace mimus::emulator::cli
