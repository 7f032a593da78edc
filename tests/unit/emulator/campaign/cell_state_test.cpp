// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/status/cell_state.hpp"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "campaign_folder.hpp"
#include "emulator/campaign/status/campaign_status.hpp"
#include "results/recorder.hpp"

namespace mimus::emulator {
namespace {

using results::Recorder;
using results::RecordLevel;
using test::CampaignFolder;
using testing::ElementsAre;
using testing::HasSubstr;

Cell cell_called(const std::string& id, const std::string& hash = "0123456789abcdef") {
  Cell cell;
  cell.id = id;
  cell.config_hash = hash;
  return cell;
}

class CellStateTest : public testing::Test {
 protected:
  [[nodiscard]] std::string output() const {
    return std::filesystem::path(folder_.write("x", "")).parent_path();
  }
  [[nodiscard]] Recorder begin(const Cell& cell) const {
    return {result_path(output(), cell),
            {{{"cell", cell.id},
              {"config_hash", cell.config_hash},
              {"hostname", "node7"},
              {"pid", "4711"},
              {"date", "2026-11-22T01:02:03Z"}},
             "",
             "",
             {{"wall_seconds"}}},
            RecordLevel::summary};
  }
  [[nodiscard]] CellStatus status(const Cell& cell) const { return cell_status(output(), cell); }

  CampaignFolder folder_;
  Cell cell_ = cell_called("001-fifo-01234567");
};

results::JobRow job_ended_at(double end, const std::string& outcome) {
  results::JobRow job;
  job.end = end;
  job.outcome = outcome;
  return job;
}

TEST_F(CellStateTest, CellWithoutFileIsWaiting) {
  EXPECT_EQ(status(cell_).state, CellState::waiting);
}

TEST_F(CellStateTest, CompleteResultIsDoneWithItsFigures) {
  {
    Recorder recorder = begin(cell_);
    recorder.add(job_ended_at(30, "finished"));
    recorder.add(job_ended_at(-1, "unfinished"));
    recorder.set_attribute("wall_seconds", 2.5);
    recorder.complete();
  }

  const CellStatus done = cell_progress(output(), cell_);

  EXPECT_EQ(status(cell_).state, CellState::done);
  EXPECT_EQ(done.state, CellState::done);
  EXPECT_EQ(done.jobs_ended, 1);
  EXPECT_EQ(done.wall, from_seconds(2.5));
}

TEST_F(CellStateTest, GrowingFileNamesWhoRunsTheCell) {
  const Recorder recorder = begin(cell_);

  const CellStatus running = status(cell_);

  EXPECT_EQ(running.state, CellState::running);
  EXPECT_EQ(running.host, "node7");
  EXPECT_EQ(running.detail, "by process 4711 on node7 since 2026-11-22T01:02:03Z");
}

TEST_F(CellStateTest, FailedCellSaysWhy) {
  begin(cell_).set_status("failed", "the disk is full");

  const CellStatus failed = status(cell_);

  EXPECT_EQ(failed.state, CellState::failed);
  EXPECT_EQ(failed.detail, "the disk is full");
}

TEST_F(CellStateTest, FileOfAnEndedWriterIsInterrupted) {
  { const Recorder recorder = begin(cell_); }

  EXPECT_EQ(status(cell_).state, CellState::interrupted);
}

TEST_F(CellStateTest, FileThatIsNoResultIsFailedNotAnError) {
  std::ofstream(result_path(output(), cell_)) << "not HDF5";

  const CellStatus failed = status(cell_);

  EXPECT_EQ(failed.state, CellState::failed);
  EXPECT_THAT(failed.detail, HasSubstr("is not an HDF5 file"));
}

TEST_F(CellStateTest, ResultUnderAnIdWithAnotherConfigurationIsStale) {
  begin(cell_).complete();

  EXPECT_EQ(status(cell_called(cell_.id, "fedcba9876543210")).state, CellState::stale);
}

TEST_F(CellStateTest, FolderListsResultsButNotTheMergedCampaign) {
  folder_.write("campaign.h5", "");
  folder_.write("001-a-01234567.h5", "");
  folder_.write("002-b-01234567.h5.part", "");
  folder_.write("metrics.csv", "");

  EXPECT_THAT(result_files_in(output()),
              ElementsAre("001-a-01234567.h5", "002-b-01234567.h5.part"));
  EXPECT_TRUE(result_files_in("no such folder").empty());
}

TEST(StaleFile, IsOfTheSameNumberLabelAndRepetition) {
  const Cell cell = cell_called("001-las-r2-aaaaaaaa-r1");
  const auto stale = [&](const std::string& name) { return stale_file({name}, cell); };

  EXPECT_EQ(stale("001-las-r2-bbbbbbbb-r1.h5"), "001-las-r2-bbbbbbbb-r1.h5");
  EXPECT_EQ(stale("001-las-r2-bbbbbbbb-r1.h5.part"), "001-las-r2-bbbbbbbb-r1.h5.part");
  EXPECT_EQ(stale("001-las-r2-aaaaaaaa-r1.h5"), "");  // the cell's own file
  EXPECT_EQ(stale("001-las-r2-bbbbbbbb-r2.h5"), "");  // another repetition
  EXPECT_EQ(stale("001-las-bbbbbbbb-r1.h5"), "");     // another label
  EXPECT_EQ(stale("002-las-r2-bbbbbbbb-r1.h5"), "");  // another cell
}

CellFacts live_facts(double estimate_seconds) {
  CellFacts facts;
  facts.kind = EngineConfig::Kind::live;
  facts.wall_estimate = from_seconds(estimate_seconds);
  return facts;
}

CellFacts virtual_facts(std::int64_t jobs) {
  CellFacts facts;
  facts.kind = EngineConfig::Kind::virtual_time;
  facts.jobs = jobs;
  return facts;
}

CellStatus in_state(CellState state, std::optional<double> wall_seconds = {}) {
  CellStatus status;
  status.state = state;
  if (wall_seconds) status.wall = from_seconds(*wall_seconds);
  return status;
}

TEST(WorkLeft, CorrectsTheEstimatesOfLiveCellsByThoseThatAreDone) {
  Campaign campaign;
  campaign.facts = {live_facts(10), live_facts(20), live_facts(30), live_facts(40)};

  // The first cell took 1.5 times its estimate. 20 s and 40 s are left; failed cells do not count.
  const auto left =
      work_left(campaign, {in_state(CellState::done, 15), in_state(CellState::waiting),
                           in_state(CellState::failed), in_state(CellState::interrupted)});

  EXPECT_EQ(left, from_seconds(90));
}

TEST(WorkLeft, TakesWhatARunningCellHasSpentOff) {
  Campaign campaign;
  campaign.facts = {live_facts(10)};

  EXPECT_EQ(work_left(campaign, {in_state(CellState::running, 4)}), from_seconds(6));
  EXPECT_EQ(work_left(campaign, {in_state(CellState::running, 40)}), from_seconds(0));
}

TEST(WorkLeft, OfVirtualCellsIsKnownOnceOneIsDone) {
  Campaign campaign;
  campaign.facts = {virtual_facts(100), virtual_facts(300)};

  EXPECT_EQ(work_left(campaign, {in_state(CellState::waiting), in_state(CellState::waiting)}),
            std::nullopt);
  EXPECT_EQ(work_left(campaign, {in_state(CellState::done, 2), in_state(CellState::waiting)}),
            from_seconds(6));
}

}  // namespace
}  // namespace mimus::emulator
