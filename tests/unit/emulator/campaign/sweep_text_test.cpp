// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "emulator/campaign/sweep.hpp"

namespace mimus::emulator {
namespace {

std::string text(const std::string& yaml) {
  return value_text(parse_yaml(yaml, "x"));
}
std::string label(const std::string& path, const std::string& yaml) {
  return value_label(path, parse_yaml(yaml, "x"));
}

TEST(SweepText, ScalarIsItsOwnText) {
  EXPECT_EQ(text("fifo"), "fifo");
  EXPECT_EQ(text("25 Gbit/s"), "25 Gbit/s");
}

TEST(SweepText, ChoiceShowsItsNameAndParameters) {
  EXPECT_EQ(text("{name: tenants, per_gpu: 2, prefer: shared}"), "tenants per_gpu=2 prefer=shared");
}

TEST(SweepText, ListIsJoinedByPlus) {
  EXPECT_EQ(text("[1 h, 4 h]"), "1 h+4 h");
}

TEST(SweepText, LabelOfAChoiceLeavesKeysOut) {
  EXPECT_EQ(label("policy.sharing", "{name: tenants, per_gpu: 2}"), "tenants-2");
  EXPECT_EQ(
      label("engine.interference", "{name: pairs, slowdowns: {a: {b: 2}}, otherwise: refuse}"),
      "pairs-refuse");
  EXPECT_EQ(label("workload", "{source: poisson, jobs: 8}"), "poisson-8");
}

TEST(SweepText, LabelOfAChoiceNamesTheChoicesInIt) {
  EXPECT_EQ(label("policy", "{preset: optimus, planner: {name: greedy, round: 60 s}}"),
            "optimus-greedy");
  EXPECT_EQ(label("policy", "{order: {name: fifo, skip: true}, sharing: {name: tenants}}"),
            "order=fifo-sharing=tenants");
  EXPECT_EQ(label("policy", "{preset: horus, estimate: {known: false}}"), "horus-known=false");
}

TEST(SweepText, LabelOfAChoiceLeavesTablesOut) {
  EXPECT_EQ(label("engine.interference",
                  "{name: pairs, otherwise: refuse, slowdowns: {a: {a: 1.9, b: 2}, b: {b: 2}}}"),
            "pairs-refuse");
}

TEST(SweepText, EqualLabelsGetTheKeysThatDiffer) {
  const auto point = [](const std::string& yaml) {
    return SweepPoint{.values = {{"policy.order", parse_yaml("fifo", "x")},
                                 {"engine.interference", parse_yaml(yaml, "x")}}};
  };
  const std::vector points{point("{name: pairs, slowdowns: {a: {a: 1.9, b: 2}, b: {b: 2}}}"),
                           point("{name: pairs, slowdowns: {a: {a: 1.7, b: 2}, b: {b: 2}}}"),
                           point("none")};

  EXPECT_THAT(labels_of(points),
              testing::ElementsAre("fifo / pairs slowdowns.a.a=1.9",
                                   "fifo / pairs slowdowns.a.a=1.7", "fifo / none"));
}

TEST(SweepText, LabelOfABareNumberNamesItsKey) {
  EXPECT_EQ(label("workload.jobs", "24"), "jobs=24");
  EXPECT_EQ(label("policy.order.skip", "true"), "skip=true");
  EXPECT_EQ(label("cluster.network", "25 Gbit/s"), "network=25 Gbit/s");
}

TEST(SweepText, LabelOfAPathIsTheNameOfItsFile) {
  EXPECT_EQ(label("workload.path", "${MIMUS_SHARED}/data/pollux/workload-1.csv"), "workload-1");
}

TEST(SweepText, LabelOfAPlainMappingKeepsItsKeys) {
  EXPECT_EQ(label("cluster", "{nodes: 2, gpu: T4}"), "nodes=2-gpu=T4");
}

}  // namespace
}  // namespace mimus::emulator
