// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/campaign/newest_files.hpp"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/campaign/last_run.hpp"
#include "results/profile_file.hpp"
#include "results/recorder.hpp"
#include "tests/support/temporary_folder.hpp"

namespace mimus::results {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class NewestFiles : public testing::Test {
 protected:
  /// A result of `label`. Each one is a second younger than the previous one.
  std::string write(const std::string& name, const std::string& label, int repetition,
                    const std::string& config) {
    std::string path = folder_.file(name + ".h5");
    const std::string date = "2026-01-01T00:00:" + std::to_string(10 + files_++) + "Z";
    Recorder recorder(path,
                      {{{"campaign", "c"},
                        {"cell", name},
                        {"label", label},
                        {"repetition", std::to_string(repetition)},
                        {"date", date}},
                       config,
                       "test"},
                      RecordLevel::full);
    recorder.complete();
    return path;
  }

  TemporaryFolder folder_;

 private:
  int files_ = 0;
};

TEST_F(NewestFiles, ProfilesBesideThemAreNoResultsOfCells) {
  const std::string a = write("a", "pack", 0, "nodes: 2\n");
  const std::string profile = folder_.file("profile.h5");
  ProfileWriter(profile, {{}, "", "test"}).complete();

  const FilesByConfiguration found = by_configuration({a, profile});

  EXPECT_THAT(found.newest, ElementsAre(a));
  EXPECT_THAT(found.others, IsEmpty());
  EXPECT_THAT(found.refusals, IsEmpty());
}

TEST_F(NewestFiles, AllBelongToACampaignThatWasNeverChanged) {
  const std::string a = write("a", "pack", 0, "nodes: 2\n");
  const std::string b = write("b", "pack", 1, "nodes: 2\n");
  const std::string c = write("c", "spread", 0, "nodes: 2\nspread: true\n");

  const auto found = by_configuration({c, a, b});

  EXPECT_THAT(found.newest, ElementsAre(c, a, b));
  EXPECT_THAT(found.others, IsEmpty());
}

TEST_F(NewestFiles, OldOnesOfALabelAreOthersInEveryRepetition) {
  const std::string old_first = write("old0", "pack", 0, "nodes: 2\n");
  const std::string old_second = write("old1", "pack", 1, "nodes: 2\n");
  const std::string fresh = write("new0", "pack", 0, "nodes: 4\n");

  const auto found = by_configuration({fresh, old_first, old_second});

  EXPECT_THAT(found.newest, ElementsAre(fresh));
  EXPECT_THAT(found.others, ElementsAre(old_first, old_second));
}

TEST_F(NewestFiles, OfEqualConfigurationsTheLastFileOfARepetitionCounts) {
  const std::string old_trace = write("old", "pack", 0, "workload: a.csv\n");
  const std::string other = write("other", "pack", 1, "workload: a.csv\n");
  const std::string new_trace = write("new", "pack", 0, "workload: a.csv\n");

  EXPECT_THAT(by_configuration({old_trace, other, new_trace}).newest,
              ElementsAre(other, new_trace));
}

TEST_F(NewestFiles, LabelsThatAChangedCampaignHasNotReachedAreOthers) {
  const std::string old_pack = write("a", "pack", 0, "nodes: 2\n");
  const std::string old_spread = write("b", "spread", 0, "nodes: 2\n");
  const std::string pack = write("c", "pack", 0, "nodes: 4\n");
  const std::string added = write("d", "random", 0, "nodes: 4\n");

  EXPECT_THAT(by_configuration({old_pack, old_spread, pack, added}).newest,
              ElementsAre(pack, added));
}

TEST_F(NewestFiles, WhatRanLastCountsWhereACampaignWasChangedBack) {
  const std::string pack = write("a-pack", "pack", 0, "nodes: 2\n");
  const std::string spread = write("a-spread", "spread", 0, "nodes: 2\n");
  const std::string other_pack = write("b-pack", "pack", 0, "nodes: 4\n");
  const std::string added = write("b-random", "random", 0, "nodes: 4\n");
  record_last_run(folder_.path(), "c", {"a-pack", "a-spread", "a-not-yet"});

  const auto found = by_configuration({pack, spread, other_pack, added});

  EXPECT_THAT(found.newest, ElementsAre(pack, spread));
  EXPECT_THAT(found.others, ElementsAre(other_pack, added));
}

TEST_F(NewestFiles, ARunOfFurtherRepetitionsDoesNotTakeTheOthersAway) {
  const std::string first = write("a-r0", "pack", 0, "nodes: 2\n");
  const std::string second = write("b-r1", "pack", 1, "nodes: 2\n");
  record_last_run(folder_.path(), "c", {"b-r1"});

  EXPECT_THAT(by_configuration({first, second}).newest, ElementsAre(first, second));
}

TEST_F(NewestFiles, TheNewestCountWhereTheLastRunHasLeftNoFile) {
  const std::string old = write("a", "pack", 0, "nodes: 2\n");
  const std::string fresh = write("b", "pack", 0, "nodes: 4\n");
  record_last_run(folder_.path(), "c", {"not-begun"});

  EXPECT_THAT(by_configuration({old, fresh}).newest, ElementsAre(fresh));
}

TEST_F(NewestFiles, ACellIsKnownByWhatStandsBehindItsNumber) {
  const std::string before = write("001-spread-12ab", "spread", 0, "nodes: 2\n");
  const std::string after = write("002-spread-34cd", "spread", 0, "nodes: 4\n");
  record_last_run(folder_.path(), "c", {"007-spread-12ab"});

  EXPECT_THAT(by_configuration({before, after}).newest, ElementsAre(before));
}

TEST_F(NewestFiles, ARunOfSomeCellsIsStillOfTheSameCampaign) {
  record_last_run(folder_.path(), "c", {"one", "two"});
  record_last_run(folder_.path(), "c", {"two"});
  EXPECT_THAT(last_run(folder_.path(), "c"), ElementsAre("one", "two"));

  record_last_run(folder_.path(), "c", {"three"});
  EXPECT_THAT(last_run(folder_.path(), "c"), ElementsAre("three"));
  EXPECT_THAT(last_run(folder_.path(), "other"), IsEmpty());
}

TEST_F(NewestFiles, AnotherTimeLimitIsNoOtherConfiguration) {
  const std::string a = write("a", "pack", 0, "engine:\n  stage_timeout: 30 s\n");
  const std::string b = write("b", "pack", 1, "engine:\n  stage_timeout: 90 s\n");

  EXPECT_THAT(by_configuration({a, b}).newest, ElementsAre(a, b));
}

TEST_F(NewestFiles, FilesThatCannotBeReadAreNamedAndLeftOut) {
  const std::string good = write("good", "pack", 0, "nodes: 2\n");
  const std::string empty = folder_.file("empty.h5.part");
  std::ofstream{empty};

  const auto found = by_configuration({empty, good});

  EXPECT_THAT(found.newest, ElementsAre(good));
  EXPECT_THAT(found.others, IsEmpty());
  EXPECT_THAT(found.refusals, ElementsAre(testing::HasSubstr("empty.h5.part")));
}

TEST_F(NewestFiles, AFileThatIsCompletedMeanwhileHasItsNewName) {
  const std::string complete = write("a", "pack", 0, "nodes: 2\n");

  EXPECT_THAT(by_configuration({complete + ".part"}).newest, ElementsAre(complete));
}

}  // namespace
}  // namespace mimus::results
