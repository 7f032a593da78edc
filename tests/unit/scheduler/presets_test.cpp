// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/policy/presets.hpp"

#include <cstdlib>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "builders.hpp"

namespace mimus::scheduler::test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

ConfigNode merged_yaml(const std::string& yaml) {
  return merge_preset(parse_yaml(yaml, "test.yaml"));
}

TEST(Presets, AreTheFilesOfConfigsPolicies) {
  const char* source = std::getenv("MIMUS_SOURCE_DIR");
  ASSERT_NE(source, nullptr);
  std::vector<std::string> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(source) / "configs/policies")) {
    files.push_back(entry.path().stem());
  }

  EXPECT_THAT(preset_names(), ::testing::UnorderedElementsAreArray(files));
}

TEST(Presets, ReadWithTheirNameAsLabelAndSayWhatTheyAre) {
  for (const Preset& preset : presets()) {
    EXPECT_EQ(policy(preset.name).label, preset.name);
    EXPECT_EQ(policy("preset: " + preset.name).label, preset.name);
    EXPECT_FALSE(preset.summary.empty()) << preset.name;
    EXPECT_FALSE(preset.notes.empty()) << preset.name;
  }
}

TEST(Presets, AreWhatTheirFileSays) {
  const ConfigNode row = preset("tiresias-l");

  EXPECT_EQ(row.find("order")->find("name")->scalar, "las");
  EXPECT_EQ(row.find("order")->find("promote")->scalar, "8");
  EXPECT_THROW((void)preset("tiresias"), UsageError);
}

TEST(Presets, LoseTheirNameWhenASeamIsReplaced) {
  EXPECT_EQ(policy("{preset: fifo, placement: spread}").label,
            "fifo-like (fifo/spread/exclusive/fixed)");
  EXPECT_EQ(policy("{preset: fifo, estimate: oracle}").label,
            "fifo-like (fifo/pack/exclusive/fixed/oracle)");
}

TEST(Presets, LoseTheirNameWhenAParameterIsChanged) {
  const Policy row = policy("{preset: srtf, preemption: {min_run: 30 s}}");

  EXPECT_EQ(row.label, "srtf-like (srtf/pack/exclusive/fixed/oracle/checkpoint(min_run=30 s))");
  EXPECT_EQ(row.preemption->min_run(), seconds(30));
}

TEST(Presets, KeepTheirNameWhenTheSameIsSaidAgain) {
  EXPECT_EQ(policy("{preset: fifo, placement: {name: pack}, power: never}").label, "fifo");
  EXPECT_EQ(policy("{preset: srtf, preemption: {min_run: 0 ms}}").label, "srtf");
}

TEST(MergePreset, WritesOutTheRowAndKeepsTheName) {
  const ConfigNode row = merged_yaml("tiresias-pollux");

  EXPECT_EQ(row.find("preset")->scalar, "tiresias-pollux");
  EXPECT_EQ(row.find("planner")->find("name")->scalar, "ranked");
}

TEST(MergePreset, ChangesNothingTheSecondTime) {
  const ConfigNode once =
      merged_yaml("{preset: tiresias-l, preemption: {min_run: 5 s}, placement: spread}");

  EXPECT_EQ(canonical_text(merge_preset(once)), canonical_text(once));
  EXPECT_EQ(once.find("preemption")->find("name")->scalar, "checkpoint");
  EXPECT_EQ(once.find("placement")->scalar, "spread");
}

TEST(MergePreset, LeavesARowWithoutPresetAlone) {
  EXPECT_EQ(canonical_text(merged_yaml("{order: sjf}")),
            canonical_text(parse_yaml("{order: sjf}", "test.yaml")));
  EXPECT_EQ(policy("{order: sjf}").label, "sjf/pack/exclusive/fixed");
}

TEST(MergePreset, RefusesUnknownNames) {
  try {
    (void)merged_yaml("tiresias-ll");
    FAIL() << "no error";
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), HasSubstr("test.yaml:1:1: policy.preset: unknown preset "
                                        "\"tiresias-ll\"; did you mean \"tiresias-l\"?"));
  }
}

TEST(MergePreset, NamesTheFamilyAndTheChoiceOfANameThatIsNoPreset) {
  try {
    (void)merged_yaml("sjf");
    FAIL() << "no error";
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("unknown preset \"sjf\"; did you mean one of sjf-group, sjf-true, "
                          "sjf-user, {order: sjf}? allowed: allox, antman, "));
  }
}

TEST(MergePreset, RefusesParametersOfAChoiceThePresetDoesNotName) {
  EXPECT_THROW((void)policy("{preset: fifo, recovery: {retries: 2}}"), ConfigError);
}

}  // namespace
}  // namespace mimus::scheduler::test
