// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Policies with jobs that are recorded run times or that have no estimates.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "campaign_folder.hpp"
#include "emulator/campaign/config_keys.hpp"

namespace mimus::emulator {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A virtual cell of recorded run times. `estimate` is what the user of the first job states.
CellFacts run_times_under(const std::string& policy, const std::string& estimate = "") {
  ConfigNode document = parse_yaml(test::kOneCell, "cell.yaml");
  const std::string stated = estimate.empty() ? "" : ", estimate: " + estimate;
  set_path(document, "workload.jobs",
           parse_yaml("[{gang: 4, run_time: 60 s" + stated + "}, {gang: 2, run_time: 5 s}]", ""));
  set_path(document, "engine", parse_yaml("{kind: virtual, step_time: duration}", ""));
  set_path(document, "policy", parse_yaml(policy, "policy"));
  return test::inspected(test::cell_of(resolved_cell(document)),
                         workloads::ModelCatalogue::built_in());
}

/// A job that took 60 s on 4 GPUs would also take 60 s on one GPU, and four could run at a time.
TEST(PolicyCheck, GangsOfTheSizingChoiceAreRefusedForRunTimes) {
  const auto error = [](const std::string& policy) {
    return test::config_error([&] { (void)run_times_under(policy); });
  };

  EXPECT_THAT(error("{planner: greedy}"),
              HasSubstr("policy.planner: \"greedy/pack/exclusive/fixed\" gives jobs other "
                        "gangs than they request, but engine.step_time: duration knows their run "
                        "times only for the requested gangs"));
  EXPECT_THAT(error("optimus-oracle"), HasSubstr("gives jobs other gangs than they request"));
  EXPECT_EQ(error("{planner: ranked}"), "no error");
}

TEST(PolicyCheck, BatchesOfTheSizingChoiceAreNotedForRunTimes) {
  for (const std::string batch : {"goodput", "linear"}) {
    EXPECT_THAT(run_times_under("{batch: " + batch + "}").notes,
                ElementsAre(HasSubstr("policy.batch of \"fifo/pack/exclusive/" + batch +
                                      "\" has no effect: engine.step_time: duration")));
  }
  EXPECT_THAT(run_times_under("{batch: fixed}").notes, IsEmpty());
}

TEST(PolicyCheck, AnOrderByRunTimesThatIsNotKnownIsNoted) {
  const auto by_arrival = HasSubstr("orders by arrival only: it uses run times, but no job");

  for (const std::string order : {"sjf", "srtf", "srsf"}) {
    EXPECT_THAT(run_times_under("{order: " + order + "}").notes, ElementsAre(by_arrival));
  }
  EXPECT_THAT(run_times_under("{order: sjf, estimate: profile}").notes, ElementsAre(by_arrival));
  EXPECT_THAT(run_times_under("{order: sjf}", "1 min").notes, IsEmpty());
  EXPECT_THAT(run_times_under("{order: sjf, estimate: history}").notes, IsEmpty());
  EXPECT_THAT(run_times_under("{order: srsf, estimate: oracle}").notes, IsEmpty());
  EXPECT_THAT(run_times_under("{order: las}").notes, IsEmpty());
}

TEST(PolicyCheck, AQuotaOfAVirtualClusterWithoutJobsIsNoted) {
  const auto notes = [](const std::string& gpus) {
    return run_times_under("{admission: {name: quota, gpus: " + gpus + "}}").notes;
  };

  EXPECT_THAT(
      notes("{vison: 2, default: 4, nlp: 4}"),
      ElementsAre(HasSubstr("policy.admission.gpus: no job belongs to virtual cluster vison, "
                            "nlp; jobs belong to default")));
  EXPECT_THAT(notes("{default: 4}"), IsEmpty());
}

}  // namespace
}  // namespace mimus::emulator
