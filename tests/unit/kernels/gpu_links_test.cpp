// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "kernels/footprint/gpu_spec.hpp"

namespace mimus::kernels {
namespace {

/// For the built-in types: the file states the source of an effective rate on its line or on the
/// line before, or that there is none. A link of a node may have the source of the island's link.
TEST(BuiltInLinks, SayWhereTheirEffectiveRatesAreFrom) {
  const char* source = std::getenv("MIMUS_SOURCE_DIR");
  if (source == nullptr) GTEST_SKIP() << "skipped: MIMUS_SOURCE_DIR is not set";
  std::ifstream table(std::string(source) + "/kernels/gpus.yaml");
  std::size_t links = 0;
  std::string before;
  for (std::string line; std::getline(table, line); before = line) {
    if (line.find("{rate:") == std::string::npos) continue;
    ++links;
    const auto comment = line.find('#');
    const bool measured = line.find("effective:") < comment;
    if (measured) {
      EXPECT_TRUE(comment != std::string::npos || before.find('#') != std::string::npos) << line;
    } else {
      EXPECT_NE(line.find("the datasheet's is taken"), std::string::npos) << line;
    }
  }
  EXPECT_EQ(links, 3 * gpu_specs().size());
}

}  // namespace
}  // namespace mimus::kernels
