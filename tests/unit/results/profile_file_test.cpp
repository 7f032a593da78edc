// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/profile_file.hpp"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "results/file/file_lock.hpp"
#include "results/file/reader.hpp"
#include "tests/support/temporary_folder.hpp"

namespace mimus::results {
namespace {

ProfileRow row(const std::string& model, double mean) {
  ProfileRow out;
  out.model = model;
  out.shape = "2+2";
  out.step_mean = mean;
  return out;
}

class ProfileFileTest : public testing::Test {
 protected:
  TemporaryFolder folder_;
  std::string path_ = folder_.file("profile.h5");
};

TEST_F(ProfileFileTest, ReturnsWhatWasWritten) {
  {
    ProfileWriter writer(path_, {.attributes = {{"gpu", "T4"}},
                                 .resolved_config = "cluster: {}\n",
                                 .command_line = "mimus calibrate"});
    writer.add(row("gpt", 1.5));
    ProfilePairRow pair;
    pair.model = "gpt";
    pair.slowdown = 1.25;
    writer.add(pair);
    ProfileLinkRow link;
    link.link = "island";
    link.bus_bandwidth = 2.5e9;
    writer.add(link);
    writer.complete();
  }

  const ProfileContent content = read_profile_file(path_);

  ASSERT_EQ(content.rows.size(), 1U);
  EXPECT_EQ(content.rows[0].shape, "2+2");
  EXPECT_EQ(content.rows[0].step_mean, 1.5);
  EXPECT_EQ(content.rows[0].sm_activity, -1.0);
  ASSERT_EQ(content.pairs.size(), 1U);
  EXPECT_EQ(content.pairs[0].slowdown, 1.25);
  ASSERT_EQ(content.links.size(), 1U);
  EXPECT_EQ(content.links[0].link, "island");
  EXPECT_EQ(content.links[0].bus_bandwidth, 2.5e9);
  EXPECT_EQ(content.attributes.at("gpu"), "T4");
  EXPECT_EQ(content.attributes.at("status"), "complete");
  EXPECT_EQ(content.attributes.at("kind"), "profile");
  EXPECT_EQ(Reader(path_).command_line(), "mimus calibrate");
  EXPECT_FALSE(std::filesystem::exists(path_ + ".part"));
}

TEST_F(ProfileFileTest, ATextThatIsKnownLaterHasItsPlace) {
  {
    ProfileWriter writer(path_, {.later = {{"mps_active", 5}}});
    EXPECT_THROW(writer.set_text("colour", "red"), InternalError);
    writer.set_text("mps_active", "true");
    writer.complete();
  }
  EXPECT_EQ(read_profile_file(path_).attributes.at("mps_active"), "true");
}

TEST_F(ProfileFileTest, EveryFlushedRowIsThereBeforeTheEnd) {
  ProfileWriter writer(path_, {});
  writer.set_status("running", "");

  writer.add(row("gpt", 1.0));
  writer.flush();

  EXPECT_EQ(read_profile_file(path_ + ".part").rows.size(), 1U);
  writer.add(row("gpt", 2.0));
  EXPECT_EQ(read_profile_file(path_ + ".part").rows.size(), 1U);
  writer.flush();
  EXPECT_EQ(read_profile_file(path_ + ".part").rows.size(), 2U);
}

TEST_F(ProfileFileTest, AnUnfinishedFileStaysUntilAnotherTakesItsPlace) {
  {
    ProfileWriter dead(path_, {});
    dead.add(row("gpt", 1.0));
    dead.set_status("running", "");
  }
  ProfileWriter next(path_, {});

  EXPECT_EQ(read_profile_file(path_ + ".part").rows.size(), 1U);
  next.flush();

  EXPECT_EQ(read_profile_file(path_ + ".part").rows.size(), 0U);
}

TEST_F(ProfileFileTest, OneWriterAtATime) {
  ProfileWriter writer(path_, {});
  writer.set_status("running", "");

  EXPECT_THROW(ProfileWriter(path_, {}), TakenError);
}

TEST_F(ProfileFileTest, AResultFileIsNoProfile) {
  Recorder(path_, {}, RecordLevel::summary).complete();

  EXPECT_THROW((void)read_profile_file(path_), IoError);
}

TEST_F(ProfileFileTest, GivesPrecisionsOfEarlierVersionsTheirPresentNames) {
  {
    ProfileWriter writer(path_, {.attributes = {{"calibration.precision", "amp_bf16"}}});
    ProfileRow former = row("gpt", 1.5);
    former.precision = "amp_bf16";
    writer.add(former);
    former.precision = "tf32";
    writer.add(former);
    writer.complete();
  }

  const ProfileContent content = read_profile_file(path_);

  EXPECT_EQ(content.rows.at(0).precision, "bf16");
  EXPECT_EQ(content.rows.at(1).precision, "tf32");
  EXPECT_EQ(content.attributes.at("calibration.precision"), "bf16");
}

}  // namespace
}  // namespace mimus::results
