// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/world/launch_note.hpp"

#include <gtest/gtest.h>

namespace mimus::emulator {
namespace {

TEST(LaunchNote, AWorldThatTheLauncherHasGivenUpIsNeverFormed) {
  const LaunchNote note(1);
  enter_launch_note();

  EXPECT_TRUE(note.give_up_unformed());

  EXPECT_FALSE(note_formed());
  EXPECT_FALSE(note.is_formed());
  EXPECT_TRUE(note.give_up_unformed());
}

TEST(LaunchNote, AFormedWorldIsNotGivenUp) {
  const LaunchNote note(1);
  enter_launch_note();

  EXPECT_TRUE(note_formed());

  EXPECT_FALSE(note.give_up_unformed());
  EXPECT_TRUE(note.is_formed());
}

}  // namespace
}  // namespace mimus::emulator
