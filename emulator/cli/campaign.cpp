// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "base/error.hpp"
#include "emulator/cli/campaign_verbs.hpp"

namespace mimus::emulator::cli {
namespace {

constexpr const char* kCampaignExamples =
    "  mimus campaign expand configs/philly.yaml     what would run\n"
    "  mimus campaign run configs/philly.yaml        run it, or continue it\n"
    "  mimus campaign status configs/philly.yaml     how far it is\n"
    "  mimus campaign merge configs/philly.yaml      one file of all cells";

}  // namespace

Verb add_campaign(CLI::App& app, Session& session) {
  CLI::App* verb =
      add_verb(app, session, "campaign",
               "Expand, run, resume and merge a campaign; show its progress.", kCampaignExamples);
  verb->require_subcommand(1);
  const std::vector<Verb> verbs{
      add_expand(*verb, session), add_run(*verb, session), add_campaign_status(*verb, session),
      add_campaign_resume(*verb, session), add_campaign_merge(*verb, session)};
  return {verb, [verbs] {
            for (const Verb& each : verbs) {
              if (each.app->parsed()) return each.action();
            }
            throw UsageError("which command? see mimus campaign --help");
          }};
}

}  // namespace mimus::emulator::cli
