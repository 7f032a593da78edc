// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>

#include "base/log.hpp"
#include "emulator/campaign/status/merge.hpp"
#include "emulator/cli/campaign_verbs.hpp"
#include "emulator/cli/text/terminal.hpp"

namespace mimus::emulator::cli {
namespace {

constexpr const char* kCampaignMergeExamples =
    "  mimus campaign merge campaign.yaml            writes campaign.h5 and metrics.csv\n"
    "  mimus campaign merge campaign.yaml --copy     with all rows: a file that needs no other";

struct CampaignMergeArguments {
  CampaignArguments campaign;
  std::string output_dir;
  bool copy = false;
};

int merge(const CampaignMergeArguments& arguments) {
  const Campaign campaign = load_campaign(arguments.campaign.path, arguments.campaign.overrides());
  const CampaignStatus status =
      read_status(campaign, output_folder(campaign, arguments.output_dir));
  merge_campaign(campaign, status, arguments.copy);
  const int all = static_cast<int>(campaign.cells.size());
  const int done = status.counts.at(CellState::done);
  if (done < all) {
    log::warn(
        "{} of {} cells are not done: they are listed with their state, without rows and "
        "figures",
        all - done, all);
  }
  print(fmt::format("{}/campaign.h5\n{}/metrics.csv\n", status.folder, status.folder));
  return 0;
}

}  // namespace

Verb add_campaign_merge(CLI::App& campaign, Session& session) {
  auto arguments = std::make_shared<CampaignMergeArguments>();
  CLI::App* verb = add_verb(campaign, session, "merge",
                            "Build one file of all cells, and a table of their figures.",
                            kCampaignMergeExamples);
  add_campaign_options(*verb, arguments->campaign);
  add_output_folder(*verb, arguments->output_dir);
  verb->add_flag("--copy", arguments->copy, "copy the rows instead of pointing to the cells' files")
      ->group("Output");
  return {verb, [arguments] { return merge(*arguments); }};
}

}  // namespace mimus::emulator::cli
