// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// One small file per format, to test how columns are mapped.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/workloads/trace_files.hpp"

namespace mimus::workloads {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using test::at_seconds;
using test::names_of;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

class TraceFormats : public test::TraceFiles {};

constexpr const char* kPaiHeader =
    "job_id,num_inst,submit_time,num_cpu,num_gpu,gpu_type,duration,user,wait_time,user_dur,"
    "user_gpu_dur,group_dur,group_gpu_dur\n";

TEST_F(TraceFormats, PaiMultipliesInstancesAndGpus) {
  write(std::string(kPaiHeader) + "j0,2,100,6,4,P100,66,ann,0.0,1.5,2.5,3.5,4.5\n" +
        "j1,1,130,6,0.25,T4,10,bob,0.0,1,2,3,4\n");
  const Workload workload = read("pai");
  EXPECT_EQ(workload.jobs.at(0).gang, 8);
  EXPECT_EQ(workload.jobs[0].user, "ann");
  EXPECT_EQ(workload.jobs[0].run_time, seconds(66));
  EXPECT_EQ(workload.jobs[0].virtual_cluster, "default");
  EXPECT_EQ(workload.jobs[1].gang, 1);
  EXPECT_DOUBLE_EQ(workload.jobs[1].gpu_share, 0.25);
  EXPECT_EQ(workload.jobs[1].arrival, at_seconds(30));
}

TEST_F(TraceFormats, PaiMatchesNoTypesOrAllOrV100s) {
  write(std::string(kPaiHeader) + "j0,1,0,6,1,V100,66,ann,0.0,1,2,3,4\n" +
        "j1,1,1,6,1,MISC,66,ann,0.0,1,2,3,4\n" + "j2,1,2,6,1,,66,ann,0.0,1,2,3,4\n");
  const auto types = [&](const std::string& options) {
    std::string text;
    for (const Job& job : read("pai", options).jobs)
      text += (job.gpu_types.empty() ? "any" : job.gpu_types.front()) + " ";
    return text;
  };
  EXPECT_EQ(types(""), "any any any ");
  EXPECT_EQ(types(", gpu_types: stated"), "V100 MISC any ");
  EXPECT_EQ(types(", gpu_types: v100"), "V100 any any ");
}

TEST_F(TraceFormats, PaiOffersItsColumnsAsEstimates) {
  write(std::string(kPaiHeader) + "j0,1,0,6,1,P100,66,ann,0.0,1.5,2.5,3.5,4.5\n");
  const auto estimate = [&](const std::string& value) {
    return read("pai", ", estimate: " + value).jobs.at(0).user_estimate;
  };
  EXPECT_EQ(estimate("user_dur"), milliseconds(1500));
  EXPECT_EQ(estimate("user_gpu_dur"), milliseconds(2500));
  EXPECT_EQ(estimate("group_dur"), milliseconds(3500));
  EXPECT_EQ(estimate("group_gpu_dur"), milliseconds(4500));
  EXPECT_EQ(estimate("true"), seconds(66));
  EXPECT_EQ(estimate("none"), Duration{});
  EXPECT_EQ(read("pai", ", estimate: user_dur, scale_run_times: 2").jobs[0].user_estimate,
            seconds(3));
}

TEST_F(TraceFormats, PaiSaysWhichEstimateAFileLacks) {
  write("job_id,num_inst,submit_time,num_gpu,duration,user,group\nj0,1,0,1,66,ann,g7\n");
  EXPECT_EQ(read("pai").jobs.at(0).group, "g7");
  EXPECT_EQ(error("pai", ", estimate: group_dur"),
            ":1:1: missing column \"group_dur\", which \"estimate\" names");
}

TEST_F(TraceFormats, HeliosReadsTimesAndStates) {
  write(
      "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,"
      "queue\n"
      "7,u1,vc3,8,64,1,COMPLETED,2020-06-09 18:41:01,2020-06-09 18:42:01,2020-06-10 18:42:01,"
      "86400,60\n"
      "8,u2,vc4,1,8,1,CANCELLED,2020-06-09 18:41:31,None,None,0,0\n"
      "9,u2,vc4,1,8,1,NODE_FAIL,2020-06-09 18:41:41,2020-06-09 18:41:41,2020-06-09 18:41:51,10,"
      "0\n");
  const Workload workload = read("helios");
  EXPECT_THAT(names_of(workload), ElementsAre("7", "9"));
  const Job& job = workload.jobs[0];
  EXPECT_EQ(job.user, "u1");
  EXPECT_EQ(job.virtual_cluster, "vc3");
  EXPECT_EQ(job.gang, 8);
  EXPECT_EQ(job.run_time, std::chrono::hours(24));
  EXPECT_EQ(job.recorded, RecordedOutcome::passed);
  EXPECT_EQ(workload.jobs[1].recorded, RecordedOutcome::failed);
  EXPECT_EQ(workload.jobs[1].arrival, at_seconds(40));
  EXPECT_THAT(workload.notes, Contains(HasSubstr("dropped 1 of 3 rows: never_started")));
}

TEST_F(TraceFormats, HeliosNamesTheStatesItKnows) {
  write(
      "job_id,user,vc,gpu_num,state,submit_time,start_time,end_time\n"
      "7,u,v,1,COMPLETE,2020-06-09 18:41:01,,\n");
  EXPECT_EQ(error("helios"),
            ":2:9: state: unknown state \"COMPLETE\"; did you mean \"COMPLETED\"? allowed: "
            "COMPLETED, CANCELLED, FAILED, TIMEOUT, NODE_FAIL, SUSPENDED, RUNNING, PENDING");
  write(
      "job_id,user,vc,gpu_num,state,submit_time,start_time,end_time\n"
      "7,u,v,1,FAILED,yesterday,,\n");
  EXPECT_EQ(error("helios"),
            ":2:16: submit_time: expected a time as \"YYYY-mm-dd HH:MM:SS\", from 1970 to 2099, "
            "got \"yesterday\"");
}

TEST_F(TraceFormats, AcmeTakesOffsetsAndTheTypeAsGroup) {
  write(
      "job_id,user,node_num,gpu_num,cpu_num,type,state,submit_time,start_time,end_time,duration,"
      "queue,gpu_time\n"
      "5,u59,1,8,128,Pretrain,FAILED,2023-03-01 00:18:22+08:00,2023-03-01 00:18:54+08:00,"
      "2023-03-01 00:20:51+08:00,117,32,936.0\n"
      "6,u59,1,8,128,Eval,CANCELLED,2023-02-28 16:18:23+00:00,2023-02-28 16:18:23+00:00,"
      "2023-02-28 16:18:33+00:00,10,0,80.0\n");
  const Workload workload = read("acme");
  EXPECT_EQ(workload.jobs.at(0).run_time, seconds(117));
  EXPECT_EQ(workload.jobs[0].group, "Pretrain");
  EXPECT_EQ(workload.jobs[0].recorded, RecordedOutcome::failed);
  EXPECT_EQ(workload.jobs[1].arrival, at_seconds(1));
  EXPECT_EQ(workload.jobs[1].recorded, RecordedOutcome::killed);
}

TEST_F(TraceFormats, OpenbReadsPhasesAndLifetimes) {
  write(
      "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,"
      "deletion_time,scheduled_time\n"
      "p0,12000,16384,8,1000,V100M16|V100M32,LS,Succeeded,10,200,50\n"
      "p1,12000,16384,1,125,,BE,Failed,20,200,100\n"
      "p2,500,1024,0,0,,BE,Running,30,200,100\n");
  const Workload workload = read("openb");
  ASSERT_EQ(workload.jobs.size(), 2U);
  const Workload all = read("openb", ", zero_gpus: keep");
  ASSERT_EQ(all.jobs.size(), 3U);
  EXPECT_EQ(all.jobs[2].gang, 0);
  EXPECT_DOUBLE_EQ(all.jobs[2].cores, 0.5);
  EXPECT_DOUBLE_EQ(all.jobs[2].host_memory.value, 1024.0 * 1024 * 1024);
  EXPECT_EQ(workload.jobs[0].gpu_types, (std::vector<std::string>{"V100M16", "V100M32"}));
  EXPECT_TRUE(workload.jobs[1].gpu_types.empty());
  EXPECT_EQ(workload.jobs.at(0).gang, 8);
  EXPECT_EQ(workload.jobs[0].run_time, seconds(150));
  EXPECT_EQ(workload.jobs[0].recorded, RecordedOutcome::passed);
  EXPECT_DOUBLE_EQ(workload.jobs[1].gpu_share, 0.125);
  EXPECT_EQ(workload.jobs[1].arrival, at_seconds(10));
}

TEST_F(TraceFormats, TiresiasCountsSecondsAndKnowsResnet50) {
  write(
      "job_id,num_gpu,submit_time,iterations,model_name,duration,interval\n"
      "0,4,0,606,vgg19,164,30\n1,2,30,133,resnet50,147,23\n");
  const Workload workload = read("tiresias");
  EXPECT_EQ(workload.jobs.at(0).model, "");
  EXPECT_EQ(workload.jobs[0].run_time, seconds(164));
  EXPECT_EQ(workload.jobs[1].model, "resnet50");
  EXPECT_EQ(workload.jobs[1].run_time, seconds(147));
  const Model& resnet = test::catalogue().at("resnet50");
  EXPECT_DOUBLE_EQ(workload.jobs[1].work_samples, 147.0 * 2 * resnet.reference_throughput);
  const Workload ignored = read("tiresias", ", trace_models: ignore");
  EXPECT_EQ(ignored.jobs.at(1).model, "");
  EXPECT_DOUBLE_EQ(ignored.jobs[1].work_samples, 147.0);
}

TEST_F(TraceFormats, MuriCountsMilliseconds) {
  write(
      "job_id,num_gpu,submit_time,iterations,model_name,batch_size,duration,interval,"
      "iteration_time,resource_time_0,resource_time_1,resource_time_2,priority\n"
      "0,1,0,5,dqn,128,2500,46,490,446,8,0,1\n1,4,1500,8,bert,4,86400000,2,509,435,8,0.5,0\n");
  const Workload workload = read("muri");
  EXPECT_EQ(workload.jobs.at(0).run_time, milliseconds(2500));
  EXPECT_EQ(workload.jobs[0].model, "");
  EXPECT_EQ(workload.jobs[1].arrival, at_seconds(1.5));
  EXPECT_EQ(workload.jobs[1].run_time, std::chrono::hours(24));
  EXPECT_EQ(workload.jobs[1].model, "bert-base");
  EXPECT_EQ(workload.jobs[1].total_batch, 16);  // 4 samples on each of 4 GPUs
}

TEST_F(TraceFormats, MuriTellsOfStages) {
  const std::string header = "job_id,num_gpu,submit_time,model_name,duration";
  write(header +
        ",iteration_time,resource_time_0,resource_time_1,resource_time_2\n"
        "0,1,0,dqn,2500,509,435,8,0.5\n");
  const StageTimes expected{.input = milliseconds(435),
                            .compute = milliseconds(8),
                            .network = std::chrono::microseconds(500),
                            .iteration = milliseconds(509)};
  EXPECT_EQ(read("muri").jobs.at(0).stages, expected);
  write(header + "\n0,1,0,dqn,2500\n");
  EXPECT_EQ(read("muri").jobs.at(0).stages, std::nullopt);
}

TEST_F(TraceFormats, ShockwaveReadsDurationsAndArrivals) {
  write(
      "LM (batch size 10)\tpython3 \"main.py\" --data %s\tlm\t--steps\t1\t134583\t1\tgns\t1\t"
      "-1.000000\t1418\t0\n"
      "ResNet-18 (batch size 32)\tpython3 main.py\timage\t--num_steps\t1\t143450\t4\taccordion\t1\t"
      "-1.000000\t3338\t55\n");
  const Workload workload = read("shockwave");
  EXPECT_THAT(names_of(workload), ElementsAre("job-0", "job-1"));
  EXPECT_EQ(workload.jobs[0].run_time, seconds(1418));
  EXPECT_EQ(workload.jobs[0].model, "");
  EXPECT_EQ(workload.jobs[1].model, "resnet18");
  EXPECT_EQ(workload.jobs[1].gang, 4);
  EXPECT_EQ(workload.jobs[1].total_batch, 128);
  EXPECT_EQ(workload.jobs[1].arrival, at_seconds(55));
}

TEST_F(TraceFormats, ShockwaveRefusesRowsOfAnotherLength) {
  write("LM\tpython3\tlm\n");
  EXPECT_EQ(error("shockwave"), ":1:1: the line has 3 fields where the format has 12");
}

}  // namespace
}  // namespace mimus::workloads
