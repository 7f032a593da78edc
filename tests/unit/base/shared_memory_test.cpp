// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "base/shared_memory.hpp"

#include <cstring>
#include <filesystem>
#include <set>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "message_of.hpp"

namespace mimus {
namespace {

using test::message_of;
using testing::HasSubstr;

std::set<std::string> named_segments() {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator("/dev/shm")) {
    names.insert(entry.path().filename().string());
  }
  return names;
}

TEST(SharedMemory, AnotherProcessSeesWhatIsWritten) {
  const SharedMemory memory = SharedMemory::create(4096);

  const pid_t child = ::fork();
  if (child == 0) {
    const SharedMemory own = SharedMemory::open(memory.path(), 4096);
    const bool zero = static_cast<const char*>(own.data())[4095] == '\0';
    std::strcpy(static_cast<char*>(own.data()), zero ? "seen" : "dirty");
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);

  EXPECT_STREQ(static_cast<const char*>(memory.data()), "seen");
}

// A run that is killed while its ranks are still opening it must leave nothing behind.
TEST(SharedMemory, HasNoNameThatOutlivesItsProcesses) {
  const auto before = named_segments();

  const SharedMemory memory = SharedMemory::create(4096);

  for (const std::string& name : named_segments()) {
    EXPECT_TRUE(before.contains(name) || !name.starts_with("mimus")) << name;
  }
}

TEST(SharedMemory, WhatIsGoneCannotBeOpened) {
  std::string path;
  {
    const SharedMemory memory = SharedMemory::create(4096);
    path = memory.path();
  }

  EXPECT_THAT(message_of([&] { (void)SharedMemory::open(path, 4096); }),
              HasSubstr(path + " cannot be opened: "));
}

}  // namespace
}  // namespace mimus
