// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/engine_inputs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/config_tree.hpp"
#include "tests/support/temporary_folder.hpp"

namespace mimus::emulator {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

class EngineInputs : public testing::Test {
 protected:
  EngineInputs() {
    folder_.write("profile.h5", "steps");
    engine_.kind = EngineConfig::Kind::virtual_time;
  }
  /// `choice` refers to a file in the folder as "@".
  [[nodiscard]] ConfigNode choice(std::string yaml) const {
    return parse_yaml(yaml.replace(yaml.find('@'), 1, folder_.path() + "/"), "x");
  }
  [[nodiscard]] std::vector<std::string> hashes() const { return engine_input_hashes(engine_); }

  TemporaryFolder folder_;
  EngineConfig engine_;
};

TEST_F(EngineInputs, WithoutFilesThereAreNone) {
  engine_.step_time = parse_yaml("{name: duration}", "x");
  engine_.interference = parse_yaml("none", "x");

  EXPECT_THAT(hashes(), IsEmpty());
}

TEST_F(EngineInputs, EveryKeyThatNamesAFileCounts) {
  engine_.profile = folder_.file("profile.h5");
  engine_.step_time = choice("{name: measured, profile: \"@profile.h5\"}");
  engine_.interference = choice("{name: pairs, profile: \"@profile.h5\"}");

  EXPECT_THAT(hashes(),
              ElementsAre(StartsWith("engine.profile="), StartsWith("engine.step_time.profile="),
                          StartsWith("engine.interference.profile=")));
}

TEST_F(EngineInputs, TheContentsCountAndNotThePlace) {
  engine_.profile = folder_.file("profile.h5");
  const auto before = hashes();
  folder_.write("moved/profile.h5", "steps");
  engine_.profile = folder_.file("moved/profile.h5");
  EXPECT_EQ(hashes(), before);

  folder_.write("moved/profile.h5", "other steps");
  EXPECT_NE(hashes(), before);
}

TEST_F(EngineInputs, OfAFolderTheTablesCount) {
  folder_.write("traces/bert/placements.csv", "1");
  folder_.write("interp_table/bert.csv", "1");
  engine_.step_time = choice("{name: measured, path: \"@\"}");
  const auto before = hashes();
  EXPECT_THAT(before, ElementsAre(StartsWith("engine.step_time.path=")));

  folder_.write("results.csv", "not read");
  EXPECT_EQ(hashes(), before);
  folder_.write("interp_table/bert.csv", "22");
  const auto changed = hashes();
  EXPECT_NE(changed, before);
  folder_.write("traces/bert/validation-12.csv", "");
  EXPECT_NE(hashes(), changed);
}

TEST_F(EngineInputs, ALiveCellReadsNoStepTimes) {
  engine_.kind = EngineConfig::Kind::live;
  engine_.step_time = choice("{name: measured, profile: \"@profile.h5\"}");
  engine_.profile = folder_.file("profile.h5");

  EXPECT_THAT(hashes(), ElementsAre(StartsWith("engine.profile=")));
}

}  // namespace
}  // namespace mimus::emulator
