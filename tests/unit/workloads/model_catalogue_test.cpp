// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/workloads/support.hpp"

namespace mimus::workloads {
namespace {

using test::catalogue;

TEST(ModelCatalogue, HasTheBuiltInModelsInOrder) {
  const auto names = catalogue().names();
  EXPECT_THAT(names, testing::IsSupersetOf({"bert-base", "gpt", "neumf-ml20m", "resnet18"}));
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
}

TEST(ModelCatalogue, FindsNothingUnderAnUnknownName) {
  EXPECT_EQ(catalogue().find("resnet51"), nullptr);
}

TEST(ModelCatalogue, NamesTheNearestModelWhenUnknown) {
  EXPECT_EQ(test::message_of([] { (void)catalogue().at("resnet5O"); }),
            unknown_name_message("model", "resnet5O", catalogue().names()));
}

TEST(ModelCatalogue, ANameSaysHowAModelIsSplit) {
  const Model& split = catalogue().at("gpt@t2p4o");
  const Model& whole = catalogue().at("gpt");

  EXPECT_EQ(split.name, "gpt@t2p4o");
  EXPECT_EQ(split.split, (ModelSplit{.tensor = 2, .pipeline = 4, .distributed_optimiser = true}));
  EXPECT_EQ(split.parameters(), whole.parameters());
  EXPECT_NE(split.fingerprint(), whole.fingerprint());
  EXPECT_EQ(&catalogue().at("gpt@t2p4o"), &split);
  EXPECT_THAT(catalogue().names(), testing::Not(testing::Contains("gpt@t2p4o")));
  EXPECT_FALSE(catalogue().at("gpt@p2w").split.sequence_parallel);
}

TEST(ModelCatalogue, NamesOfNoSplitAreRefusedWithWhatIsAllowed) {
  for (const char* name : {"gpt@", "gpt@t", "gpt@t1", "gpt@t0", "gpt@p2t2", "gpt@t2x", "gpt@t2ow2",
                           "gpt@t9999999999", "gpt@p1025"}) {
    EXPECT_THAT(
        test::message_of([&] { (void)catalogue().find(name); }),
        testing::HasSubstr("is not a split; write t and the number of GPUs that share a layer"))
        << name;
  }
}

TEST(ModelCatalogue, WhatFollowsAnUnknownModelIsNotReadAsASplit) {
  EXPECT_EQ(catalogue().find("someone@host"), nullptr);
}

TEST(ModelCatalogue, TheNearestModelIsNamedWithoutTheSplit) {
  EXPECT_THAT(test::message_of([] { (void)catalogue().at("gpd@t2"); }),
              testing::HasSubstr("unknown model \"gpd\"; did you mean \"gpt\"?"));
}

TEST(ModelCatalogue, ASplitModelFollowsTheModelThatItIsOf) {
  ModelCatalogue models;
  Model model;
  model.name = "a";
  models.add(model);
  EXPECT_EQ(models.at("a@t2").summary, "");
  model.summary = "another";
  models.add(model);
  EXPECT_EQ(models.at("a@t2").summary, "another");
}

TEST(ModelCatalogue, AddReplacesAndKeepsOtherPointers) {
  ModelCatalogue models;
  Model first;
  first.name = "a";
  models.add(first);
  const Model* kept = models.find("a");
  Model second;
  second.name = "b";
  models.add(second);
  second.summary = "again";
  models.add(second);
  EXPECT_EQ(models.find("a"), kept);
  EXPECT_EQ(models.at("b").summary, "again");
  EXPECT_EQ(models.names().size(), 2U);
}

TEST(ModelCatalogue, PublishedTrainingsHaveThePolluxLength) {
  // Total progress times M0: 14774 * 12, 39062.908 * 128, 194174 * 256, 576525.6 * 200,
  // 28536 * 20 and 103443.98 * 8 samples.
  const std::map<std::string, double> expected{{"bert-base", 177288.0},   {"resnet18", 5000052.0},
                                               {"neumf", 49708544.0},     {"resnet50", 115305119.0},
                                               {"deepspeech2", 570720.0}, {"yolov3", 827551.8}};
  for (const auto& [name, samples] : expected) {
    EXPECT_NEAR(catalogue().at(name).training_samples(), samples, 1e-4 * samples) << name;
  }
}

TEST(ModelCatalogue, BatchLimitsAreConsistent) {
  for (const std::string& name : catalogue().names()) {
    const BatchLimits& batch = catalogue().at(name).batch;
    EXPECT_LE(batch.per_gpu_min, batch.per_gpu_max) << name;
    EXPECT_LE(batch.reference, batch.total_max) << name;
  }
}

TEST(Fingerprint, DiffersBetweenModels) {
  std::set<std::uint64_t> seen;
  for (const std::string& name : catalogue().names()) {
    seen.insert(catalogue().at(name).fingerprint());
  }
  EXPECT_EQ(seen.size(), catalogue().names().size());
}

TEST(Fingerprint, IsTheSameForACopy) {
  const Model copy = catalogue().at("yolov3");
  EXPECT_EQ(copy.fingerprint(), catalogue().at("yolov3").fingerprint());
}

template <class Change>
bool changes_fingerprint(Change change) {
  Model model = catalogue().at("resnet18");
  change(model);
  return model.fingerprint() != catalogue().at("resnet18").fingerprint();
}

TEST(Fingerprint, CoversEveryKindOfField) {
  EXPECT_TRUE(changes_fingerprint([](Model& m) { m.name += "x"; }));
  EXPECT_TRUE(changes_fingerprint([](Model& m) { m.precision = Precision::fp16; }));
  EXPECT_TRUE(changes_fingerprint([](Model& m) { m.optimiser = Optimiser::adam; }));
  EXPECT_TRUE(changes_fingerprint([](Model& m) { m.bucket_rule.cap = Bytes{1.0}; }));
  EXPECT_TRUE(changes_fingerprint([](Model& m) { m.batch.total_max += 1; }));
  EXPECT_TRUE(changes_fingerprint([](Model& m) { m.noise_scale = NoiseScaleCurve({{0, 2}}); }));
  EXPECT_TRUE(changes_fingerprint([](Model& m) { m.loss = LossCurve({.end = 0.3}); }));
  EXPECT_TRUE(changes_fingerprint([](Model& m) { m.host["T4"].per_sample += Duration{1}; }));
  EXPECT_TRUE(changes_fingerprint([](Model& m) { m.reference_throughput += 1e-9; }));
  EXPECT_TRUE(changes_fingerprint([](Model& m) { m.efficiency["T4"].memory = 0.5; }));
  EXPECT_TRUE(changes_fingerprint([](Model& m) { m.efficiency["new"] = {}; }));
}

TEST(Fingerprint, CoversTheLayers) {
  EXPECT_TRUE(changes_fingerprint([](Model& m) { m.layers.pop_back(); }));
  EXPECT_TRUE(changes_fingerprint([](Model& m) { m.layers[3].backward_flop += Flop{1.0}; }));
  EXPECT_TRUE(changes_fingerprint([](Model& m) { m.layers[3].forward_kernels += 1; }));
  EXPECT_TRUE(changes_fingerprint([](Model& m) { m.layers[0].parameter_tensors[0] -= 1; }));
  EXPECT_TRUE(changes_fingerprint([](Model& m) { m.layers[0].gemm.count += 1; }));
  EXPECT_TRUE(changes_fingerprint([](Model& m) { std::swap(m.layers[0], m.layers[1]); }));
}

}  // namespace
}  // namespace mimus::workloads
