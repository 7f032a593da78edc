// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/check/sharing_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "campaign_folder.hpp"

namespace mimus::emulator {
namespace {

using test::error_message;
using testing::AllOf;
using testing::HasSubstr;
const std::string kAllowed = "no error";

/// The refusal of a live cell with these keys of `engine:`.
std::string refusal(const std::string& engine) {
  const test::CampaignFolder folder;
  const std::string file =
      folder.write("campaign.yaml", std::string(test::kOneCell) + "engine: {" + engine + "}\n");
  return error_message([&] { (void)load_campaign(file, {}); });
}

TEST(LiveSharing, AnEmulatedDeviceTakesEveryMode) {
  EXPECT_THAT(refusal("interference: none"), kAllowed);
  EXPECT_THAT(refusal("interference: {name: slices, switching: 0.1}"), kAllowed);
  EXPECT_THAT(refusal("interference: {name: mps, capacity: 1}"), kAllowed);
  EXPECT_THAT(refusal("interference: {name: pairs, slowdowns: {a: {b: 2}}}"), kAllowed);
}

TEST(LiveSharing, WhatALawIsMissingIsSaid) {
  EXPECT_THAT(refusal("interference: pairs"), HasSubstr("slowdowns"));
  EXPECT_THAT(refusal("interference: {name: pairs, profile: none.h5}"), HasSubstr("none.h5"));
}

TEST(LiveSharing, ACudaDeviceSharesItself) {
  EXPECT_THAT(refusal("device: cuda"), kAllowed);
  EXPECT_THAT(refusal("device: cuda, cuda: {sharing: mps}"), kAllowed);
  EXPECT_THAT(refusal("device: cuda, interference: mps, cuda: {sharing: mps}"), kAllowed);
  EXPECT_THAT(refusal("device: cuda, interference: mps"),
              AllOf(HasSubstr("engine.cuda.sharing says, time_slice"),
                    HasSubstr("the mode is \"slices\"")));
  EXPECT_THAT(refusal("device: cuda, interference: {name: slices, switching: 0.1}"),
              HasSubstr("without parameters"));
  EXPECT_THAT(refusal("device: cuda, interference: none"), HasSubstr("is not possible"));
}

TEST(LiveSharing, CoresThatAreTheDevicesShareThemselves) {
  EXPECT_THAT(refusal("pace: none"), kAllowed);
  EXPECT_THAT(refusal("pace: none, interference: mps"),
              HasSubstr("the operating system divides them"));
}

}  // namespace
}  // namespace mimus::emulator
