// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/workloads/support.hpp"

namespace mimus::workloads {
namespace {

TEST(WorkloadSources, AreListedWithSummaryAndParameters) {
  EXPECT_THAT(workload_sources().names(), testing::ElementsAre("poisson", "pollux", "jobs"));
  for (const auto& choice : workload_sources().choices()) {
    EXPECT_FALSE(choice.summary.empty());
    for (const auto& parameter : choice.parameters) {
      EXPECT_FALSE(parameter.type.empty()) << choice.name << "." << parameter.name;
      EXPECT_FALSE(parameter.summary.empty()) << choice.name << "." << parameter.name;
    }
  }
}

TEST(WorkloadSources, NameTheNearestSourceWhenUnknown) {
  EXPECT_EQ(test::message_of([] { (void)test::make_workload("{source: poison, jobs: 3}"); }),
            "w.yaml:1:10: workload.source: unknown workload source \"poison\"; did you mean "
            "\"poisson\"? allowed: poisson, pollux, jobs");
}

TEST(WorkloadSources, RefuseUnknownParameters) {
  EXPECT_THAT(
      test::message_of([] {
        (void)test::make_workload("{source: poisson, jobs: 3, mean_interarrival: 1 s, seeed: 1}");
      }),
      testing::StartsWith("w.yaml:1:59: workload: unknown key \"seeed\""));
}

TEST(WorkloadSources, ListEveryParameterTheyRead) {
  // Any unlisted key would be refused by finish(), whose message names all keys that were read.
  const std::string message = test::message_of(
      [] { (void)test::make_workload("{source: pollux, path: p.csv, unknown_key: 1}"); });
  for (const auto& parameter : workload_sources().choices()[1].parameters) {
    EXPECT_THAT(message, testing::HasSubstr(parameter.name));
  }
}

TEST(WorkloadSources, AlsoServeTheRegistrysOwnForm) {
  const auto source = workload_sources().make(
      parse_yaml("{name: poisson, jobs: 2, mean_interarrival: 1 s}", "w.yaml"), "workload");
  EXPECT_EQ(source->make({test::catalogue(), 1, 8}).jobs.size(), 2U);
}

}  // namespace
}  // namespace mimus::workloads
