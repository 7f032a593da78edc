// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/campaign/campaign_file.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "results/file/h5_table.hpp"
#include "results/recorder.hpp"
#include "results/summary/summary.hpp"
#include "results/totals/job_sums.hpp"
#include "tests/support/temporary_folder.hpp"

namespace mimus::results {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

/// A complete result with jobs of these completion times, which all arrive at 0.
void write_cell(const std::string& path, const std::string& cell, const std::vector<double>& jcts,
                RecordLevel level = RecordLevel::full) {
  Recorder recorder(path, {{{"cell", cell}, {"engine", "virtual"}}, "", ""}, level);
  for (const double jct : jcts) {
    JobRow job;
    job.job = static_cast<std::int64_t>(jct);
    job.name = cell;
    job.outcome = "finished";
    job.end = job.jct = jct;
    recorder.add(job);
  }
  recorder.complete();
}

CampaignCellRow done(const std::string& cell) {
  return {cell, 1, 0, "done", "0123456789abcdef", "label of " + cell, cell + ".h5"};
}

/// The rows of one of the campaign file's own tables or of a merged one.
template <class Row>
std::vector<Row> rows(const std::string& path, const Table<Row>& table, const std::string& name) {
  TableInfo info = table.info();
  info.name = name;
  const auto bytes = read_records(H5File::open_read_only(path), info,
                                  std::vector<std::byte>(info.record_bytes), 0);
  std::vector<Row> out;
  for (std::size_t at = 0; at < bytes.size(); at += info.record_bytes) {
    out.push_back(table.decode(bytes.data() + at));
  }
  return out;
}

std::vector<double> merged_jcts(const std::string& path) {
  std::vector<double> out;
  for (const auto& job : rows(path, table_of<JobRow>(), "tables/jobs")) out.push_back(job.jct);
  return out;
}

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const IoError& error) {
    return error.what();
  }
  return "no error";
}

class CampaignFile : public testing::TestWithParam<bool> {
 protected:
  void write(const std::vector<CampaignCellRow>& cells) const {
    write_campaign(folder_.file(""), {"study", "1.2.3", cells, {}}, GetParam());
  }
  [[nodiscard]] std::string merged() const { return folder_.file(kCampaignFileName); }

  TemporaryFolder folder_;
};

TEST_P(CampaignFile, HoldsTheRowsOfAllCellsInTheirOrder) {
  write_cell(folder_.file("a.h5"), "a", {30, 10});
  write_cell(folder_.file("b.h5"), "b", {20});

  write({done("b"), done("a")});

  EXPECT_THAT(merged_jcts(merged()), ElementsAre(20, 30, 10));
  const auto ranges = rows(merged(), row_ranges_table("jobs"), "rows/jobs");
  ASSERT_EQ(ranges.size(), 2);
  EXPECT_EQ(ranges[1].cell, 1);
  EXPECT_EQ(ranges[1].first, 1);
  EXPECT_EQ(ranges[1].count, 2);
}

TEST_P(CampaignFile, ListsCellsThatAreNotDoneWithoutRows) {
  write_cell(folder_.file("a.h5"), "a", {30});

  write({{"w", 1, 0, "waiting", "", "", ""}, done("a")});

  const auto cells = rows(merged(), campaign_cells_table(), "cells");
  ASSERT_EQ(cells.size(), 2);
  EXPECT_EQ(cells[0].state, "waiting");
  EXPECT_EQ(cells[0].file, "");
  EXPECT_EQ(rows(merged(), row_ranges_table("jobs"), "rows/jobs").front().cell, 1);
}

TEST_P(CampaignFile, LeavesOutOfATableTheCellsThatDidNotRecordIt) {
  write_cell(folder_.file("a.h5"), "a", {30}, RecordLevel::summary);
  write_cell(folder_.file("b.h5"), "b", {20});

  write({done("a"), done("b")});

  EXPECT_THAT(merged_jcts(merged()), ElementsAre(20));
  EXPECT_EQ(rows(merged(), row_ranges_table("jobs"), "rows/jobs").size(), 1);
  EXPECT_EQ(rows(merged(), row_ranges_table("totals"), "rows/totals").size(), 2);
}

TEST_P(CampaignFile, HasEveryMetricOfEveryDoneCellAsTheSummarySaysIt) {
  write_cell(folder_.file("a.h5"), "a", {30, 10});

  write({done("a")});

  const auto metrics = rows(merged(), metrics_table(), "metrics");
  const CellSummary summary = summarise(folder_.file("a.h5"));
  ASSERT_EQ(metrics.size(), results::metrics().size());
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    const Metric& metric = results::metrics()[i];
    const Figure expected = summary.figures[i];
    EXPECT_EQ(metrics[i].metric, metric.name);
    EXPECT_EQ(metrics[i].unit, metric.unit);
    EXPECT_EQ(std::isnan(metrics[i].value), !expected.has_value()) << metric.name;
    EXPECT_EQ(expected.value_or(0), std::isnan(metrics[i].value) ? 0 : metrics[i].value);
  }
}

TEST_P(CampaignFile, ReplacesAnEarlierOne) {
  write_cell(folder_.file("a.h5"), "a", {30});
  write({done("a")});
  write_cell(folder_.file("b.h5"), "b", {20});

  write({done("a"), done("b")});

  EXPECT_THAT(merged_jcts(merged()), ElementsAre(30, 20));
}

TEST_P(CampaignFile, KeepsLongLabelsAndValuesWhole) {
  write_cell(folder_.file("a.h5"), "a", {30});
  write_cell(folder_.file("b.h5"), "b", {20});
  CampaignCellRow a = done("a");
  CampaignCellRow b = done("b");
  a.label = std::string(kLabelBytes, 'x') + " / pack";
  b.label = std::string(kLabelBytes, 'x') + " / spread";
  const std::string value(kSweptValueBytes + 1, 'v');

  write_campaign(folder_.file(""), {"study", "1.2.3", {a, b}, {{0, "policy.order", value}}},
                 GetParam());

  const auto cells = rows(merged(), campaign_cells_table(b.label.size()), "cells");
  EXPECT_EQ(cells.at(0).label, a.label);
  EXPECT_EQ(cells.at(1).label, b.label);
  EXPECT_EQ(rows(merged(), swept_table(value.size()), "swept").at(0).value, value);
}

TEST_P(CampaignFile, NamesTheFileOfAnotherSchemaVersionAndKeepsTheEarlierOne) {
  write_cell(folder_.file("a.h5"), "a", {30});
  write({done("a")});
  {
    H5File odd = H5File::create(folder_.file("b.h5"));
    odd.set_attribute("schema", std::string(kSchemaName));
    odd.set_attribute("schema_version", kSchemaVersion + 1);
    odd.close();
  }

  const std::string message = error_of([&] { write({done("a"), done("b")}); });

  EXPECT_THAT(message, HasSubstr("b.h5: has schema version 2, this program reads version 1"));
  EXPECT_THAT(merged_jcts(merged()), ElementsAre(30));
  const auto files = fs::directory_iterator(folder_.file(""));
  EXPECT_EQ(std::count_if(begin(files), end(files),
                          [](const auto& file) { return file.path().extension() == ".tmp"; }),
            0);
}

INSTANTIATE_TEST_SUITE_P(Storage, CampaignFile, testing::Bool(),
                         [](const auto& storage) { return storage.param ? "copied" : "virtual"; });

TEST(CampaignFileVirtual, FollowsItsFolderWhenThatIsMoved) {
  const TemporaryFolder folder;
  fs::create_directory(folder.file("before"));
  write_cell(folder.file("before/a.h5"), "a", {30});
  write_campaign(folder.file("before"), {"study", "1.2.3", {done("a")}, {}}, false);

  fs::rename(folder.file("before"), folder.file("after"));

  EXPECT_THAT(merged_jcts(folder.file("after/campaign.h5")), ElementsAre(30));
}

TEST(CampaignFileVirtual, ShowsRowsOfAMissingCellAsUnknown) {
  const TemporaryFolder folder;
  write_cell(folder.file("a.h5"), "a", {30});
  write_campaign(folder.file(""), {"study", "1.2.3", {done("a")}, {}}, false);

  fs::remove(folder.file("a.h5"));

  const auto jobs = rows(folder.file("campaign.h5"), table_of<JobRow>(), "tables/jobs");
  ASSERT_EQ(jobs.size(), 1);
  EXPECT_EQ(jobs.front().job, -1);
  EXPECT_TRUE(std::isnan(jobs.front().arrival));
}

TEST(CampaignFileCopied, NeedsNoOtherFile) {
  const TemporaryFolder folder;
  write_cell(folder.file("a.h5"), "a", {30});
  write_campaign(folder.file(""), {"study", "1.2.3", {done("a")}, {}}, true);

  fs::remove(folder.file("a.h5"));

  EXPECT_THAT(merged_jcts(folder.file("campaign.h5")), ElementsAre(30));
}

TEST(CampaignFileCsv, HasOneLinePerFigureAndQuotesLabels) {
  const TemporaryFolder folder;
  write_cell(folder.file("a.h5"), "a", {30, 10});
  CampaignCellRow cell = done("a");
  cell.label = "limits 1, 2";

  write_campaign(folder.file(""), {"study", "1.2.3", {cell}, {}}, false);

  std::ifstream file(folder.file("metrics.csv"));
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_THAT(text.str(), HasSubstr("cell,label,repetition,metric,value,unit\n"));
  EXPECT_THAT(text.str(), HasSubstr("a,\"limits 1, 2\",0,jct_mean,20,s\n"));
  EXPECT_THAT(text.str(), HasSubstr("a,\"limits 1, 2\",0,slowdown_mean,,\n"));  // no pairs
}

// Jobs of 30 and 10 GPUs whose JCT is as many seconds: only the first is measured.
TEST(CampaignFileCsv, SaysWhatWasMeasured) {
  const TemporaryFolder folder;
  write_cell(folder.file("a.h5"), "a", {30, 10});

  write_campaign(folder.file(""), {"study", "1.2.3", {done("a")}, {}, {.first_job = 20}}, false);

  std::ifstream file(folder.file("metrics.csv"));
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_THAT(text.str(), HasSubstr("cell,label,repetition,metric,value,unit,measured\n"));
  EXPECT_THAT(text.str(), HasSubstr(",jct_mean,30,s,jobs=20..\n"));
}

TEST(CampaignSchema, IsWhatTheReferenceInDocsSays) {
  const char* source = std::getenv("MIMUS_SOURCE_DIR");
  if (source == nullptr) GTEST_SKIP() << "skipped: MIMUS_SOURCE_DIR is not set";
  std::ifstream file(std::string(source) + "/docs/results.md");
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_TRUE(text.str().ends_with(campaign_schema_markdown()))
      << "docs/results.md is out of date: replace it from \"#### `cells`\" on by this:\n"
      << campaign_schema_markdown();
}

}  // namespace
}  // namespace mimus::results
