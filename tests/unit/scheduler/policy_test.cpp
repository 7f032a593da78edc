// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <set>

#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "builders.hpp"
#include "scheduler/order/order.hpp"

namespace mimus::scheduler::test {
namespace {

using ::testing::HasSubstr;

std::string error_of(const std::string& yaml) {
  try {
    (void)policy(yaml);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

TEST(ReadPolicy, FillsInTheDefaultOfEverySeam) {
  const Policy row = policy("{}");

  EXPECT_EQ(row.label, "fifo/pack/exclusive/fixed");
  EXPECT_EQ(row.max_tenants(), 1);
  EXPECT_TRUE(row.admission && row.estimate && row.preemption && row.recovery && row.power &&
              row.cache);
}

TEST(ReadPolicy, TakesAScalarOrAMapping) {
  EXPECT_EQ(policy("{order: sjf, sharing: {name: tenants, per_gpu: 3}}").label,
            "sjf/pack/tenants(per_gpu=3)/fixed");
  EXPECT_EQ(policy("{sharing: {name: tenants, per_gpu: 3}}").max_tenants(), 3);
}

TEST(ReadPolicy, LabelsOnlyWhatDiffersFromTheDefaults) {
  EXPECT_EQ(policy("{placement: {name: relaxed, rack_after: 2 min}, order: {name: fifo}}").label,
            "fifo/relaxed/exclusive/fixed");
  EXPECT_EQ(policy("{order: {name: las, limits: [3250 s, 2 h]}, preemption: checkpoint}").label,
            "las(limits=[3250 s 2 h])/pack/exclusive/fixed/checkpoint");
}

TEST(ReadPolicy, GoodputSizingBringsItsEstimate) {
  const Policy row = policy("batch: goodput");

  EXPECT_EQ(row.estimate->name(), "profile(affine)");
  EXPECT_EQ(row.label, "fifo/pack/exclusive/goodput");
}

TEST(ReadPolicy, RefusesGoodputWithoutAnEstimate) {
  EXPECT_EQ(error_of("{batch: goodput, estimate: none}"),
            "test.yaml:1:28: policy.estimate: the batch choice needs a throughput estimate, got "
            "\"none\"; set estimate: profile or leave it out");
}

TEST(ReadPolicy, TheSearchNeedsAnEstimate) {
  EXPECT_EQ(policy("planner: search").estimate->name(), "profile(affine)");
  EXPECT_EQ(error_of("{planner: search, estimate: none}"),
            "test.yaml:1:29: policy.estimate: the planner choice needs a throughput estimate, got "
            "\"none\"; set estimate: profile or leave it out");
}

TEST(ReadPolicy, RefusesUnknownSeams) {
  EXPECT_EQ(error_of("ordre: fifo"),
            "test.yaml:1:8: policy: unknown key \"ordre\"; did you mean \"order\"? allowed: "
            "admission, batch, cache, estimate, order, placement, planner, power, preemption, "
            "preset, recovery, sharing");
}

TEST(ReadPolicy, RefusesUnknownChoices) {
  EXPECT_EQ(error_of("order: fifi"),
            fmt::format("test.yaml:1:8: policy.order.name: unknown order \"fifi\"; did you mean "
                        "\"fifo\"? allowed: {}",
                        fmt::join(order_choices().names(), ", ")));
}

TEST(ReadPolicy, RefusesUnknownParameters) {
  EXPECT_EQ(error_of("order: {name: fifo, skipp: true}"),
            "test.yaml:1:28: policy.order: unknown key \"skipp\"; did you mean \"skip\"? allowed: "
            "name, skip");
}

TEST(ReadPolicy, RefusesValuesOutOfRange) {
  EXPECT_EQ(error_of("sharing: {name: tenants, per_gpu: 0}"),
            "test.yaml:1:35: policy.sharing.per_gpu: expected an integer >= 1 and <= 64, got "
            "\"0\"");
  EXPECT_THAT(error_of("preemption: {name: checkpoint, min_run: 60}"),
              HasSubstr("policy.preemption.min_run: expected a duration with a unit"));
}

TEST(ReadPolicy, RefusesLimitsThatDoNotAscend) {
  EXPECT_THAT(error_of("order: {name: las, limits: [2 h, 1 h]}"),
              HasSubstr("policy.order.limits: each limit must be greater than the one before it"));
}

TEST(ReadPolicy, RefusesPromotionWithoutQueues) {
  EXPECT_THAT(error_of("order: {name: las, promote: 8}"), HasSubstr("only jobs in queues"));
}

TEST(ReadPolicy, RefusesAnOrderWithinQueuesWithoutQueues) {
  EXPECT_THAT(error_of("order: {name: las, within: entry}"),
              HasSubstr("policy.order.within: without queues, jobs are ordered by service alone"));
  EXPECT_EQ(error_of("order: {name: las, within: first_start}"), "no error");
}

TEST(ReadPolicy, RefusesRelaxingToAnyNodeBeforeTheRack) {
  EXPECT_THAT(error_of("placement: {name: relaxed, any_after: 60 s}"),
              HasSubstr("policy.placement.any_after: must not be less than rack_after"));
}

TEST(ReadPolicy, RefusesPreemptionAtEveryInstant) {
  EXPECT_THAT(error_of("{order: las, preemption: {name: checkpoint, min_run: 0 s}}"),
              HasSubstr("policy.preemption: min_run must be > 0 s"));
  EXPECT_EQ(error_of("{order: {name: las, quantum: 1 s}, preemption: {name: checkpoint, min_run: "
                     "0 s}}"),
            "no error");
}

TEST(ReadPolicy, RefusesWhatAPlannerDecidesItself) {
  EXPECT_THAT(error_of("{planner: {name: ranked, round: 30 s}, preemption: checkpoint}"),
              HasSubstr("test.yaml:1:52: policy.preemption: \"checkpoint\" has no effect with "
                        "planner \"ranked(round=30 s)\", which stops jobs itself; leave "
                        "policy.preemption out, or set planner: none"));
  EXPECT_THAT(
      error_of("{planner: greedy, order: las}"),
      HasSubstr("policy.order: \"las\" has no effect with planner \"greedy\", which chooses "
                "the next job itself; leave policy.order out, or set planner: none"));
  EXPECT_EQ(error_of("{planner: search, placement: {name: relaxed, rack_after: 1 min}}"),
            "test.yaml:1:30: policy.placement: \"relaxed\" has no effect with planner \"search\", "
            "which chooses the GPUs of jobs itself; leave policy.placement out, or set planner: "
            "none");
  EXPECT_THAT(error_of("{planner: ranked, sharing: tenants}"),
              HasSubstr("policy.sharing: \"tenants\" has no effect with planner \"ranked\", which "
                        "hands out whole GPUs; set it to exclusive"));
  EXPECT_EQ(error_of("{planner: ranked, sharing: {name: tenants, per_gpu: 1}}"), "no error");
  EXPECT_EQ(error_of("{planner: {name: ranked, order: srtf}, placement: strict}"), "no error");
  EXPECT_EQ(error_of("{planner: none, order: srtf, preemption: none}"), "no error");
}

TEST(ReadPolicy, RefusesLocalityBesideAPlannerThatCounts) {
  EXPECT_THAT(error_of("{planner: greedy, placement: strict}"),
              HasSubstr("policy.placement: \"strict\" waits for locality, which planner \"greedy\" "
                        "does not consider when it sizes gangs; allowed with it: pack, spread"));
}

TEST(ReadPolicy, SaysWhatBecameOfSizing) {
  EXPECT_THAT(error_of("{order: sjf, sizing: by_rank}"),
              HasSubstr("policy.sizing: is now two seams: write batch: fixed, linear or goodput"));
}

TEST(ReadPolicy, RanksByTheOrderOfItsPlanner) {
  const Policy row = policy("planner: {name: ranked, order: {name: sjf, skip: false}}");

  EXPECT_TRUE(row.order->asks_run_time());
  EXPECT_EQ(row.label, "ranked(order=[name=sjf skip=false])/pack/exclusive/fixed");
}

TEST(ReadPolicy, AcceptsAMissingThroughputWhileOnlyChecking) {
  Policy row = read_policy(parse_yaml("batch: goodput", "test.yaml"), "policy", {});

  EXPECT_FALSE(row.estimate->ready());
  EXPECT_THROW(Scheduler(shape(1, 1), std::move(row)), InternalError);
}

TEST(DescribePolicies, CoversEverySeamWithOneDefaultEach) {
  std::set<std::string> seams;
  std::multiset<std::string> defaults;
  for (const auto& line : describe_policies()) {
    seams.insert(line.seam);
    if (line.is_default) defaults.insert(line.seam);
    EXPECT_FALSE(line.summary.empty()) << line.choice;
  }

  EXPECT_EQ(seams.size(), 11U);
  EXPECT_EQ(defaults, std::multiset<std::string>(seams.begin(), seams.end()));
}

// A default that is written out must be accepted and must not appear in the label.
TEST(DescribePolicies, EveryStatedDefaultReadsBackAsTheDefault) {
  for (const auto& line : describe_policies()) {
    std::string yaml = line.choice == "utility_band" ? "planner: search\n" : "";
    yaml += line.seam + ": {name: " + line.choice;
    for (const auto& p : line.parameters) {
      if (p.name == "gpus") yaml += ", gpus: {}";
      if (p.type() == "text" && p.default_value.empty()) yaml += ", " + p.name + ": any";
      if (p.default_value.empty() || p.default_value == "-") continue;
      yaml += ", " + p.name + ": " + p.default_value;
    }
    const std::string label = policy(yaml + "}").label;
    if (line.choice == "quota" || line.choice == "python") continue;  // have required ones
    EXPECT_EQ(label.find('('), std::string::npos) << yaml << label;
  }
}

TEST(Policy, NamesTheChoicesThatAskAnOracle) {
  EXPECT_EQ(policy("order: fifo").asks_oracle(), "none");
  EXPECT_EQ(policy("{order: sjf, estimate: oracle}").asks_oracle(), "estimate");
  EXPECT_EQ(policy("planner: greedy").asks_oracle(), "planner");
  EXPECT_EQ(policy("planner: {name: greedy, by: estimate}").asks_oracle(), "none");
}

TEST(Policy, AsksForAnEstimateWhereAnotherChoiceDoes) {
  for (const char* row : {"order: sjf", "order: srtf", "order: srsf", "batch: goodput"}) {
    EXPECT_TRUE(policy(row).asks_estimate()) << row;
  }
  for (const char* row : {"{}", "order: las", "planner: ranked", "planner: greedy"}) {
    EXPECT_FALSE(policy(row).asks_estimate()) << row;
  }
}

}  // namespace
}  // namespace mimus::scheduler::test
