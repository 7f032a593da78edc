// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/workloads/support.hpp"
#include "workloads/workload_keys.hpp"

namespace mimus::workloads {
namespace {

TEST(WorkloadSources, AreListedWithSummaryAndParameters) {
  EXPECT_THAT(workload_sources().names(),
              testing::IsSupersetOf({"poisson", "jobs", "csv", "philly"}));
  for (const auto& choice : workload_sources().choices()) {
    EXPECT_FALSE(choice.summary.empty());
    for (const auto& parameter : choice.parameters) {
      EXPECT_FALSE(parameter.type().empty()) << choice.name << "." << parameter.name;
      EXPECT_FALSE(parameter.summary.empty()) << choice.name << "." << parameter.name;
    }
  }
}

TEST(WorkloadSources, NameTheNearestSourceWhenUnknown) {
  EXPECT_THAT(test::message_of([] { (void)test::make_workload("{source: poison, jobs: 3}"); }),
              testing::StartsWith("w.yaml:1:10: workload.source: unknown workload source "
                                  "\"poison\"; did you mean \"poisson\"? allowed: poisson, "));
}

TEST(WorkloadSources, RefuseUnknownParameters) {
  EXPECT_THAT(
      test::message_of([] {
        (void)test::make_workload("{source: poisson, jobs: 3, mean_interarrival: 1 s, seeed: 1}");
      }),
      testing::StartsWith("w.yaml:1:59: workload: unknown key \"seeed\""));
}

/// An unlisted key is refused with a message that names all keys that were read, sorted.
std::set<std::string> keys_read(const std::string& source) {
  const std::string message = test::message_of([&] {
    (void)make_workload_source(parse_yaml("{source: " + source +
                                              ", path: p, throughputs: t, mean_interarrival: 1 s, "
                                              "jobs: 1, unknown_key: 1}",
                                          "w.yaml"),
                               "workload");
  });
  std::set<std::string> keys;
  std::istringstream list(message.substr(message.find("allowed: ") + 9));
  for (std::string key; std::getline(list >> std::ws, key, ',');) keys.insert(key);
  return keys;
}

TEST(WorkloadSources, ListExactlyTheParametersThatTracesRead) {
  for (const auto& choice : workload_sources().choices()) {
    if (choice.parameters.front().name != "path") continue;  // generators and lists
    std::set<std::string> listed{"source"};
    for (const auto& field : workload_fields()) listed.insert(field.info.name);
    for (const auto& parameter : choice.parameters) listed.insert(parameter.name);
    std::set<std::string> read = keys_read(choice.name);
    EXPECT_EQ(read, listed) << choice.name;
  }
}

TEST(WorkloadSources, AlsoServeTheRegistrysOwnForm) {
  const auto source = workload_sources().make(
      parse_yaml("{name: poisson, jobs: 2, mean_interarrival: 1 s}", "w.yaml"), "workload");
  EXPECT_EQ(source->make({test::catalogue(), 1, 8}).jobs.size(), 2U);
}

}  // namespace
}  // namespace mimus::workloads
