// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/support/live_world.hpp"

namespace mimus::emulator {
namespace {
const MpiWorld* g_world = nullptr;
}  // namespace

const MpiWorld& test_world() {
  return *g_world;
}

}  // namespace mimus::emulator

/// For test programs of live runs on their ranks, as one process and under mpiexec.
int main(int argc, char** argv) {
  const mimus::emulator::MpiWorld world;
  mimus::emulator::g_world = &world;
  testing::InitGoogleTest(&argc, argv);
  auto& listeners = testing::UnitTest::GetInstance()->listeners();
  if (world.rank() != 0) delete listeners.Release(listeners.default_result_printer());
  return world.highest(RUN_ALL_TESTS());  // every rank returns the same result
}
