// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Mimus's own CSV format: read as a whole, read as a stream, written.
#include <algorithm>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/unit/workloads/trace_files.hpp"
#include "workloads/traces/input/csv_blocks.hpp"
#include "workloads/traces/input/input_file.hpp"
#include "workloads/traces/native/native_csv_writer.hpp"
#include "workloads/traces/native/native_row.hpp"

namespace mimus::workloads {
namespace {

using std::chrono::seconds;
using test::at_seconds;
using test::names_of;
using testing::ElementsAre;
using testing::HasSubstr;

class NativeCsv : public test::TraceFiles {};

TEST_F(NativeCsv, NeedsArrivalGangAndARunTimeOnly) {
  write("arrival,gang,run_time\n3.5,2,60\n");
  const Job job = read("csv").jobs.at(0);
  EXPECT_EQ(job.name, "job-0");
  EXPECT_EQ(job.arrival, at_seconds(3.5));
  EXPECT_EQ(job.gang, 2);
  EXPECT_EQ(job.run_time, seconds(60));
  EXPECT_EQ(job.total_batch, 2);
  EXPECT_DOUBLE_EQ(job.work_samples, 60.0);
}

TEST_F(NativeCsv, ReadsEveryColumn) {
  write(
      "name,user,virtual_cluster,group,model,gang,gpu_share,batch,samples,arrival,run_time,"
      "estimate,outcome,failures,stages\n"
      "n,ann,vision,g,resnet18,1,0.5,256,1e6,1,90,100,killed,0.5:broken cable;0.75:,"
      "0.446:0.008:0:0.49\n");
  const Workload workload = read("csv");
  const Job& job = workload.jobs.at(0);
  EXPECT_EQ(job.name, "n");
  EXPECT_EQ(job.user, "ann");
  EXPECT_EQ(job.virtual_cluster, "vision");
  EXPECT_EQ(job.group, "g");
  EXPECT_EQ(job.model, "resnet18");
  EXPECT_DOUBLE_EQ(job.gpu_share, 0.5);
  EXPECT_EQ(job.total_batch, 256);
  EXPECT_DOUBLE_EQ(job.work_samples, 1e6);
  EXPECT_EQ(job.user_estimate, seconds(100));
  EXPECT_EQ(job.recorded, RecordedOutcome::killed);
  ASSERT_EQ(job.failures.failures.size(), 2U);
  EXPECT_EQ(job.failures.failures[0].reason, "broken cable");
  const StageTimes stages{.input = std::chrono::milliseconds(446),
                          .compute = std::chrono::milliseconds(8),
                          .network = {},
                          .iteration = std::chrono::milliseconds(490)};
  EXPECT_EQ(job.stages, stages);
}

TEST_F(NativeCsv, BlankFieldsAreAsGoodAsMissingColumns) {
  write("arrival,gang,run_time,model,user,batch,samples,gpu_share,estimate\n0,1,60,,,,,,\n");
  const Job job = read("csv").jobs.at(0);
  EXPECT_EQ(job.user, "user");
  EXPECT_EQ(job.model, "");
  EXPECT_DOUBLE_EQ(job.gpu_share, 1.0);
}

TEST_F(NativeCsv, RefusesWhatDoesNotGoTogether) {
  const auto message = [&](const std::string& row) {
    write("arrival,gang,run_time,model,samples,batch,gpu_share,outcome,failures\n" + row + "\n");
    return error("csv");
  };
  EXPECT_EQ(message("0,1,,,,,,,"),
            ":2:1: the row states no work: give it a run_time, or a model and samples");
  EXPECT_EQ(message("0,1,,,5,,,,"),
            ":2:7: samples: samples need a model; state a run_time instead");
  EXPECT_EQ(message("0,4,9,,,3,,,"), ":2:9: batch: 3 gives 4 GPUs less than one sample each");
  EXPECT_EQ(message("0,4,9,,,,0.5,,"),
            ":2:10: gpu_share: a gang of 4 cannot have parts of GPUs; only a gang of 1 can");
  EXPECT_EQ(message("0,-1,9,,,,,,"),
            ":2:3: gang: expected a number >= 0 and <= 1000000, got \"-1\"");
  EXPECT_EQ(message("0,1,-9,,,,,,"),
            ":2:5: run_time: expected a number >= 0 and <= 4.2e+09, got \"-9\"");
  EXPECT_EQ(message("0,1,9,,,,,lost,"),
            ":2:11: outcome: unknown outcome \"lost\"; allowed: unknown, passed, killed, failed");
  EXPECT_THAT(message("0,1,9,,,,,,1.5:x"), HasSubstr(":2:12: failures: expected failures such as"));
  EXPECT_THAT(message("0,1,9,resnet81,,,,,"),
              HasSubstr(":2:7: model: unknown model \"resnet81\"; did you mean \"resnet18\"?"));
}

// bert-base at 13 samples/s for 100 s at its M0 of 12. Without a model the batch of a gang is its
// size.
TEST_F(NativeCsv, SamplesAndBatchGoWithTheModelThatIsIgnored) {
  write("arrival,gang,run_time,model,samples,batch\n0,1,100,resnet18,124000,128\n");
  const Job drawn = read("csv", ", trace_models: ignore, models: [{model: bert-base}]").jobs.at(0);
  EXPECT_EQ(drawn.model, "bert-base");
  EXPECT_DOUBLE_EQ(drawn.work_samples, 100 * 13);
  EXPECT_EQ(drawn.total_batch, 12);
  const Job bare = read("csv", ", trace_models: ignore").jobs.at(0);
  EXPECT_EQ(bare.model, "");
  EXPECT_DOUBLE_EQ(bare.work_samples, 100.0);
  EXPECT_EQ(bare.total_batch, 1);
}

TEST_F(NativeCsv, AModelThatAloneSaysTheWorkIsNotIgnored) {
  write("arrival,gang,model,samples,batch\n0,1,resnet18,124000,256\n");
  const Job job = read("csv", ", trace_models: ignore, models: [{model: bert-base}]").jobs.at(0);
  EXPECT_EQ(job.model, "resnet18");
  EXPECT_DOUBLE_EQ(job.work_samples, 124000.0);
  EXPECT_EQ(job.total_batch, 256);
}

// resnet18 does 1,240 samples/s per GPU: 24,800 samples are 10 s on two.
TEST_F(NativeCsv, StatedSamplesScaleWithTheRunTimes) {
  write("arrival,gang,run_time,model,samples\n0,2,100,resnet18,248000\n0,2,,resnet18,248000\n");
  const Workload workload = read("csv", ", scale_run_times: 0.1, estimate: true");
  EXPECT_EQ(workload.jobs.at(0).run_time, seconds(10));
  EXPECT_EQ(workload.jobs.at(1).run_time, Duration{});
  for (const Job& job : workload.jobs) {
    EXPECT_DOUBLE_EQ(job.work_samples, 24800.0);
    EXPECT_EQ(job.user_estimate, seconds(10));
  }
}

TEST_F(NativeCsv, StreamsTheSameJobs) {
  std::string rows = "arrival,gang,run_time,name\n";
  for (int i = 0; i < 100'000; ++i) {  // 2.5 blocks
    rows += std::to_string(i) + "," + std::to_string(1 + i % 8) + ",60,\"job, number\n" +
            std::to_string(i) + "\"\n";
  }
  write(rows);
  const Workload whole = read("csv");
  const Workload streamed = read("csv", ", stream: true");
  ASSERT_EQ(streamed.jobs.size(), 100'000U);
  for (std::size_t i = 0; i < whole.jobs.size(); ++i) {
    ASSERT_EQ(streamed.jobs[i].name, whole.jobs[i].name);
    ASSERT_EQ(streamed.jobs[i].arrival, whole.jobs[i].arrival);
    ASSERT_EQ(streamed.jobs[i].id, whole.jobs[i].id);
  }
}

TEST_F(NativeCsv, AStreamHonoursTheOptions) {
  write("arrival,gang,run_time,name\n5,1,60,a\n6,9,60,big\n7,1,60,b\n8,1,60,c\n");
  auto stream = source("csv", ", stream: true, oversized: drop, first: 2, keep_origin: false")
                    ->open({test::catalogue(), 1, 8});
  EXPECT_EQ(stream->size(), std::nullopt);
  EXPECT_EQ(stream->next()->arrival, at_seconds(0));
  EXPECT_EQ(stream->next()->name, "b");
  EXPECT_EQ(stream->next(), std::nullopt);
  EXPECT_THAT(stream->notes(),
              ElementsAre("dropped 1 of 3 rows: oversized: the gang is larger than "
                          "the cluster's 8 GPUs (line 3)"));
}

TEST_F(NativeCsv, AStreamSaysWhereArrivalsAreOutOfOrder) {
  write("arrival,gang,run_time\n5,1,60\n4.5,1,60\n");
  EXPECT_EQ(error("csv", ", stream: true"),
            ":3:1: arrival: 4.5 s is before the row above, which arrives at 5 s; sort the file or "
            "leave out \"stream: true\"");
  EXPECT_EQ(read("csv").jobs.at(0).arrival, at_seconds(4.5));
}

TEST_F(NativeCsv, AStreamSaysWhereARowIsWrong) {
  write("arrival,gang,run_time\n5,1,60\n6,one,60\n");
  EXPECT_EQ(error("csv", ", stream: true"),
            ":3:3: gang: expected a number >= 0 and <= 1000000, got \"one\"");
  write("arrival,gang,run_time\n");
  EXPECT_EQ(error("csv", ", stream: true"), ":1:1: has no jobs");
  write("arrival,gang,run_time\n5,1,\"60\n");
  EXPECT_EQ(error("csv", ", stream: true"), ":2:5: quoted field is not closed");
}

TEST_F(NativeCsv, TheHashDoesNotDependOnTheBlocks) {
  std::string rows = "arrival,gang,run_time\n";
  while (rows.size() < 3'000'000) rows += "5,1,60\n";
  write(rows);
  EXPECT_EQ(file_content_hash(path()), content_hash(rows));
}

TEST(NativeCsvWriter, RefusesWhatTheFormatCannotHold) {
  Workload workload;
  workload.jobs.emplace_back();
  workload.jobs[0].id = JobId{0};
  std::ostringstream out;
  EXPECT_EQ(test::message_of([&] { write_csv(workload, out); }),
            "job 0 \"\" cannot be written as CSV: it has no name");
}

std::string any_text(std::size_t least) {
  const std::vector<std::string> characters{"a", "b", ",",  "\"", "\n",      "\r",
                                            ";", ":", "\\", " ",  "\xC3\xA9"};
  std::string text;
  for (const std::string& character :
       *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(characters))) {
    text += character;
  }
  return text.size() < least ? "x" + text : text;
}

Duration any_time(std::int64_t least) {
  return Duration{
      *rc::gen::oneOf(rc::gen::inRange<std::int64_t>(least, 1'000'000'000),
                      rc::gen::inRange<std::int64_t>(least, 4'200'000'000'000'000'000))};
}

Job any_job() {
  Job job;
  job.name = any_text(1);
  job.user = any_text(1);
  job.virtual_cluster = any_text(1);
  job.group = any_text(0);
  job.gang = *rc::gen::inRange(1, 64);
  if (job.gang == 1) job.gpu_share = *rc::gen::elementOf(std::vector<double>{1.0, 0.1, 1.0 / 3.0});
  job.run_time = any_time(1);
  job.user_estimate = *rc::gen::arbitrary<bool>() ? any_time(0) : Duration{};
  job.deadline = *rc::gen::arbitrary<bool>() ? any_time(1) : Duration{};
  job.host_share = *rc::gen::elementOf(std::vector<double>{0.0, 1.0 / 3.0, 1.0});
  if (*rc::gen::arbitrary<bool>()) job.gang_min = *rc::gen::inRange(1, job.gang + 1);
  if (*rc::gen::arbitrary<bool>()) job.gang_max = *rc::gen::inRange(job.gang, 100);
  job.recorded = *rc::gen::element(RecordedOutcome::unknown, RecordedOutcome::passed,
                                   RecordedOutcome::killed, RecordedOutcome::failed);
  job.total_batch = job.gang;
  job.work_samples = to_seconds(job.run_time);
  if (*rc::gen::arbitrary<bool>()) {
    job.model = *rc::gen::element<std::string>("resnet18", "gpt");
    job.total_batch = *rc::gen::inRange<std::int64_t>(64, 1'000'000);
    job.work_samples = *rc::gen::inRange(1, 1'000'000'000) / 7.0;
    if (*rc::gen::arbitrary<bool>()) job.run_time = Duration{};
    for (int i = *rc::gen::inRange(0, 3); i > 0; --i) {
      job.batch_plan.insert(job.batch_plan.begin(),
                            {i / 3.0, *rc::gen::inRange<std::int64_t>(1, 1'000'000'000)});
    }
  }
  if (*rc::gen::arbitrary<bool>()) job.failures.failures.push_back({1.0 / 3.0, any_text(0)});
  return job;
}

void expect_equal(const Job& a, const Job& b) {
  RC_ASSERT(a.id == b.id);
  RC_ASSERT(a.name == b.name);
  RC_ASSERT(a.user == b.user);
  RC_ASSERT(a.virtual_cluster == b.virtual_cluster);
  RC_ASSERT(a.group == b.group);
  RC_ASSERT(a.model == b.model);
  RC_ASSERT(a.gang == b.gang);
  RC_ASSERT(a.gpu_share == b.gpu_share);
  RC_ASSERT(a.total_batch == b.total_batch);
  RC_ASSERT(a.work_samples == b.work_samples);
  RC_ASSERT(a.arrival == b.arrival);
  RC_ASSERT(a.run_time == b.run_time);
  RC_ASSERT(a.user_estimate == b.user_estimate);
  RC_ASSERT(a.deadline == b.deadline);
  RC_ASSERT(a.batch_plan == b.batch_plan);
  RC_ASSERT(a.host_share == b.host_share);
  RC_ASSERT(a.gang_min == b.gang_min);
  RC_ASSERT(a.gang_max == b.gang_max);
  RC_ASSERT(a.recorded == b.recorded);
  RC_ASSERT(a.failures.failures.size() == b.failures.failures.size());
  for (std::size_t i = 0; i < a.failures.failures.size(); ++i) {
    RC_ASSERT(a.failures.failures[i].at_progress == b.failures.failures[i].at_progress);
    RC_ASSERT(a.failures.failures[i].reason == b.failures.failures[i].reason);
  }
}

RC_GTEST_PROP(NativeCsvWriter, WhatIsWrittenReadsBackEqual, ()) {
  Workload workload;
  std::vector<std::int64_t> arrivals =
      *rc::gen::container<std::vector<std::int64_t>>(rc::gen::inRange<std::int64_t>(0, 1LL << 61));
  std::sort(arrivals.begin(), arrivals.end());
  for (const std::int64_t arrival : arrivals) {
    Job job = any_job();
    job.id = JobId{static_cast<std::int64_t>(workload.jobs.size())};
    job.arrival = Instant{Duration{arrival}};
    workload.jobs.push_back(job);
  }
  RC_PRE(!workload.jobs.empty());
  const std::string path = testing::TempDir() + "mimus_native_round_trip.csv";
  std::ofstream out(path, std::ios::binary);
  write_csv(workload, out);
  out.close();
  for (const char* stream : {"false", "true"}) {
    const Workload read =
        test::make_workload("{source: csv, path: \"" + path + "\", stream: " + stream + "}");
    RC_ASSERT(read.jobs.size() == workload.jobs.size());
    for (std::size_t i = 0; i < read.jobs.size(); ++i) {
      expect_equal(read.jobs[i], workload.jobs[i]);
    }
  }
  std::remove(path.c_str());
}

}  // namespace
}  // namespace mimus::workloads
