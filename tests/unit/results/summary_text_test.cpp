// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "results/summary/number_text.hpp"
#include "results/summary/summary.hpp"
#include "tests/unit/results/summary_cells.hpp"

namespace mimus::results {
namespace {

using testing::HasSubstr;
using testing::Not;

CellSummary with_sharing(CellSummary cell) {
  cell.set("slowdown_mean", 1.42);
  cell.set("slowdown_worst", 2.03);
  cell.slowdown_worst_pair = "resnet50 beside bert-base";
  return cell;
}

/// Without the lines of unknown values, which belong to metrics that the test does not set.
std::string known_lines(const std::string& text) {
  std::istringstream lines(text);
  std::string known;
  for (std::string line; std::getline(lines, line);) {
    if (!line.ends_with(" -") && !line.ends_with(": null,")) known += line + "\n";
  }
  return known;
}

std::size_t longest_line(const std::string& text) {
  std::size_t longest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) longest = std::max(longest, line.size());
  return longest;
}

TEST(NumberText, KeepsThreeSignificantDigitsAndAllOfTheInteger) {
  EXPECT_EQ(significant(0), "0");
  EXPECT_EQ(significant(0.0031249), "0.00312");
  EXPECT_EQ(significant(4.066), "4.07");
  EXPECT_EQ(significant(99.95), "100.0");
  EXPECT_EQ(significant(123456.7), "123457");
}

TEST(NumberText, GivesHalfWidthsTwoDigitsAndMeansTheirDecimals) {
  EXPECT_EQ(plus_minus(166.26, 12.4), "166 ±12");
  EXPECT_EQ(plus_minus(1283.4, 0.21), "1283.40 ±0.21");
  EXPECT_EQ(plus_minus(0.4938, 0.0211), "0.494 ±0.021");
  EXPECT_EQ(plus_minus(98765, 4321), "98765 ±4321");
}

TEST(SummaryTable, AlignsColumnsAndMarksTheBest) {
  const std::string table =
      format_table({cell_named("pack", 120), with_sharing(cell_named("spread", 96.4))}, 80);

  EXPECT_EQ(table, R"(cell       jobs JCT mean  JCT p99  queueing  makespan  GPUs held  GPUs busy
       done/all        s        s         s         s          %          %
pack      19/20      120      360      7.50       600       50.0       25.0
spread    19/20     96.4*     289*     7.50       482*      50.0       25.0
)");
}

TEST(SummaryTable, ShowsEveryFigureOnAWideTerminal) {
  const std::string table = format_table({cell_named("pack", 120)}, 250);
  for (const char* title :
       {"JCT mean",      "JCT p50",   "JCT p99",     "queueing",   "makespan",
        "GPUs held",     "GPUs busy", "throughput",  "efficiency", "goodput",
        "norm. goodput", "slowdown",  "worst pair",  "off solo",   "late",
        "ρ mean",        "ρ worst",   "unfair jobs", "Jain of ρ",  "restarts"}) {
    EXPECT_THAT(table, HasSubstr(title));
  }
}

TEST(SummaryTable, FitsTheTerminal) {
  const std::string label = "a very long label / with many swept values / of a large campaign";
  for (const int width : {80, 100, 120, 160, 200}) {
    const auto table = format_table({cell_named(label, 120), cell_named("pack", 3e6)}, width);
    EXPECT_LE(longest_line(table), static_cast<std::size_t>(width)) << table;
  }
}

TEST(SummaryTable, CutsLongLabelsBetweenCharacters) {
  constexpr int kHalf = 19;  // of 40 columns for the label, without the two dots
  std::string sharp_s;
  for (int i = 0; i < kHalf; ++i) sharp_s += "ß";
  const std::string many = sharp_s + sharp_s + sharp_s + sharp_s;

  EXPECT_THAT(format_table({cell_named(many, 120)}, 80), HasSubstr(sharp_s + ".." + sharp_s + " "));
  EXPECT_THAT(format_table({cell_named("a" + many, 120)}, 80),
              HasSubstr("a" + sharp_s.substr(2) + ".." + sharp_s + " "));
}

TEST(SummaryTable, TakesANarrowerTerminalForEightyColumns) {
  const std::vector<CellSummary> cells{cell_named("pack", 120)};
  EXPECT_EQ(format_table(cells, 20), format_table(cells, 80));
}

TEST(SummaryTable, MarksNothingWhenThereIsNothingToCompare) {
  EXPECT_THAT(format_table({cell_named("pack", 120)}, 120), Not(HasSubstr("*")));
}

TEST(SummaryTable, TellsRepetitionsAndUnfinishedCellsApart) {
  CellSummary second = cell_named("pack", 120);
  second.repetition = 1;
  second.status = "interrupted";

  const std::string table = format_table({cell_named("pack", 120), second}, 120, TableRows::runs);

  EXPECT_THAT(table, HasSubstr("pack r0 "));
  EXPECT_THAT(table, HasSubstr("pack r1 (interrupted)"));
}

TEST(SummaryTable, MarksTheBestOfCompleteCellsOnly) {
  CellSummary half = cell_named("half", 60);
  half.status = "interrupted";

  const std::string table =
      format_table({cell_named("pack", 120), cell_named("spread", 96.4), half}, 80);

  EXPECT_THAT(table, HasSubstr("96.4*"));
  EXPECT_THAT(table, HasSubstr(" 60.0 "));
  EXPECT_THAT(table, Not(HasSubstr("60.0*")));
}

TEST(SummaryTable, OfNothingSaysSo) {
  EXPECT_EQ(format_table({}, 80), "no cells\n");
}

TEST(SummaryCell, ListsCausesOfQueueingFromTheLargest) {
  const std::string text = known_lines(format_cell(with_sharing(cell_named("pack", 120))));

  EXPECT_EQ(text, R"(000-pack (pack), repetition 0
  status                 complete
  file                   out/pack.h5
  jobs                   20: 19 finished, 1 failed, 0 rejected, 0 unfinished
  preemptions            7
  makespan               600 s
    after last arrival   120 s
  JCT mean               120 s
  JCT p50                60.0 s
  JCT p90                240 s
  JCT p99                360 s
  queueing p50           4.00 s
  queueing p90           20.0 s
  queueing p99           30.0 s
  queueing mean          7.50 s
    capacity             5.00 s
    fragmentation        2.50 s
  GPU time held          50.0 %
    until last arrival   60.0 %
  GPU time busy          25.0 %
  throughput             1234 samples/s of a running job
  efficiency             90.0 %
  goodput                1111 samples at M0/s of a running job
  normalised goodput     75.0 %
  ρ mean                 1.25
  unfair jobs            20.0 %
  restarts               0.500 per hour of a running job
  slowdown mean          1.42x
  slowdown worst         resnet50 beside bert-base: 2.03x
  off solo, median       0.0 %
  late                   0.0 %
)");
}

TEST(SummaryJson, HasStableKeysWithUnits) {
  EXPECT_EQ(known_lines(to_json({with_sharing(cell_named("pack", 120))})), R"({
  "format": "mimus-summary",
  "format_version": 1,
  "cells": [
    {
      "cell": "000-pack",
      "label": "pack",
      "repetition": 0,
      "engine": "live",
      "status": "complete",
      "status_reason": "",
      "path": "out/pack.h5",
      "measured": "all",
      "jobs": 20,
      "jobs_finished": 19,
      "jobs_failed": 1,
      "jobs_rejected": 0,
      "jobs_unfinished": 0,
      "preemptions": 7,
      "jct_mean_s": 120.0,
      "jct_p50_s": 60.0,
      "jct_p90_s": 240.0,
      "jct_p99_s": 360.0,
      "queueing_mean_s": 7.5,
      "queueing_p50_s": 4.0,
      "queueing_p90_s": 20.0,
      "queueing_p99_s": 30.0,
      "queueing_by_cause_mean_s": {
        "capacity": 5.0,
        "fragmentation": 2.5
      },
      "makespan_s": 600.0,
      "drain_s": 120.0,
      "last_end_s": 0.0,
      "gpu_allocated_fraction": 0.5,
      "gpu_allocated_until_last_arrival_fraction": 0.6,
      "gpu_busy_fraction": 0.25,
      "throughput_samples_per_s": 1234.5,
      "efficiency_fraction": 0.9,
      "goodput_samples_per_s": 1111.05,
      "goodput_normalised": 0.75,
      "slowdown_mean": 1.42,
      "slowdown_worst": 2.03,
      "slowdown_worst_pair": "resnet50 beside bert-base",
      "off_solo_median_fraction": 0.0,
      "late_share_fraction": 0.0,
      "rho_mean": 1.25,
      "rho_unfair_fraction": 0.2,
      "restarts_per_hour": 0.5,
      "gpus_lost": 0
    }
  ]
}
)");
}

TEST(SummaryJson, GivesNullForWhatWasNotObserved) {
  CellSummary cell = cell_named("pack", 0);
  cell.set("jct_mean", std::nullopt);

  const auto json = nlohmann::json::parse(to_json({cell})).at("cells").at(0);

  EXPECT_TRUE(json.at("jct_mean_s").is_null());
  EXPECT_TRUE(json.at("slowdown_mean").is_null());
  EXPECT_EQ(json.at("queueing_mean_s"), 7.5);
}

TEST(SummaryJson, OfNothingIsAValidDocument) {
  EXPECT_TRUE(nlohmann::json::parse(to_json({})).at("cells").empty());
}

TEST(SummaryForms, NameTheWindow) {
  CellSummary cell = cell_named("pack", 120);
  cell.measured = "jobs=1..3";
  CellSummary whole = cell;
  whole.label = "spread";
  whole.measured.clear();

  EXPECT_THAT(format_table({cell}, 80), testing::StartsWith("measured: jobs=1..3\n"));
  EXPECT_THAT(format_table({cell, whole}, 80),
              testing::StartsWith("measured: jobs=1..3 of pack\nmeasured: all of spread\n"));
  EXPECT_THAT(format_table({cell, whole}, 80), testing::Not(HasSubstr("*")));
  EXPECT_THAT(format_cell(cell), HasSubstr("measured               jobs=1..3\n"));
  const auto json = nlohmann::json::parse(to_json({cell, whole})).at("cells");
  EXPECT_EQ(json.at(0).at("measured"), "jobs=1..3");
  EXPECT_EQ(json.at(1).at("measured"), "all");
}

}  // namespace
}  // namespace mimus::results
