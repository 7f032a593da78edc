// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/idle_keys.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "campaign_folder.hpp"
#include "emulator/campaign/config_keys.hpp"

namespace mimus::emulator {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;

/// The notes on a campaign of one cell with `more` keys.
std::vector<std::string> notes_of(const std::string& more,
                                  const std::vector<Override>& overrides = {}) {
  const test::CampaignFolder folder;
  const std::string file = folder.write("campaign.yaml", std::string(test::kOneCell) + more);
  std::vector<std::string> notes;
  for (const CellFacts& facts : load_campaign(file, overrides).facts) {
    notes.insert(notes.end(), facts.notes.begin(), facts.notes.end());
  }
  return notes;
}

TEST(IdleKeys, ARoundNeedsRounds) {
  EXPECT_THAT(notes_of("engine: {round: 30 s}\n"),
              ElementsAre(AllOf(HasSubstr("campaign.yaml:9:17: engine.round has no effect"),
                                EndsWith("set engine.mode: rounds"))));
  EXPECT_THAT(notes_of("engine: {round: 30 s, mode: rounds}\n"), IsEmpty());
}

TEST(IdleKeys, KeysOfTheOtherEngineAreNoted) {
  EXPECT_THAT(notes_of("engine: {kind: virtual, time_scale: 60}\n"),
              ElementsAre(HasSubstr("engine.time_scale has no effect: only live cells read it")));
  EXPECT_THAT(notes_of("engine: {costs: {start: 1 s}, interference: none}\n"),
              ElementsAre(HasSubstr("engine.costs has no effect: only virtual cells read it")));
}

TEST(IdleKeys, AKeyThatSomeCellReadsIsNotNoted) {
  EXPECT_THAT(notes_of("engine: {time_scale: 60, interference: none}\n"
                       "sweep: {grid: {engine.kind: [live, virtual]}}\n"),
              IsEmpty());
}

TEST(IdleKeys, AReplayedSimulatorHasItsOwnCosts) {
  const std::string replay =
      "engine: {kind: virtual, replay: pollux-artifact, mode: rounds, round: 30 s, "
      "costs: {start: 1 s}, interference: none, report_every: 5 s}\n";
  const ConfigNode node = parse_yaml(std::string(test::kOneCell) + replay, "campaign.yaml");
  Campaign campaign;
  campaign.cells = {test::cell_of(resolved_cell(node))};
  campaign.facts.resize(1);

  add_idle_key_notes(campaign);

  EXPECT_THAT(campaign.facts.front().notes,
              ElementsAre(AllOf(HasSubstr("engine.report_every has no effect"),
                                EndsWith("the simulator that engine.replay follows has its own")),
                          HasSubstr("engine.interference has"), HasSubstr("engine.costs has")));
}

TEST(IdleKeys, DefaultsWrittenOutAreNotNoted) {
  EXPECT_THAT(notes_of("engine: {kind: virtual, round: 60 s, time_scale: 1, device: cpu}\n"),
              IsEmpty());
}

TEST(IdleKeys, AFileMayServeBothKindsOfEngine) {
  const std::string file = "engine: {time_scale: 60}\n";
  EXPECT_THAT(notes_of(file, {{"engine.kind", "virtual"}}), IsEmpty());
  EXPECT_THAT(notes_of(file, {{"engine.kind", "virtual"}, {"engine.min_step", "1 s"}}),
              ElementsAre(HasSubstr("--set engine.min_step=1 s: engine.min_step has no effect")));
}

/// For a new key, this states which cells read it.
TEST(IdleKeys, EveryCellReadsFewKeys) {
  std::vector<std::string> keys;
  for (const ConfigKey& key : config_keys()) {
    if (!key.path.starts_with("engine.")) continue;
    if (key.reader == KeyReader::every_cell) keys.push_back(key.name);
  }
  EXPECT_THAT(keys, ElementsAre("kind", "mode", "profile"));
}

}  // namespace
}  // namespace mimus::emulator
