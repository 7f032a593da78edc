// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of launches in kernels/launch/accuracy.md must match the plans.
#include <cstdlib>
#include <fstream>
#include <regex>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/unit/kernels/launch_support.hpp"

namespace mimus::kernels {
namespace {

std::string table_entry(const std::string& model, const std::string& precision, bool fused,
                        std::int64_t batch) {
  const auto plan =
      test::plan_of(test::models().at(model), batch,
                    {.attention = fused ? Attention::sdpa : Attention::eager,
                     .arithmetic = precision == "fp32" ? Arithmetic::fp32 : Arithmetic::fp16});
  return fmt::format("{} / {} / {}", plan.forward.size(), plan.backward.size(),
                     plan.optimiser.size());
}

TEST(LaunchTable, OfTheDocumentIsThatOfThePlans) {
  const char* const source = std::getenv("MIMUS_SOURCE_DIR");
  std::ifstream document(std::string(source == nullptr ? "." : source) +
                         "/kernels/launch/accuracy.md");
  const std::regex row(
      R"(\| ([a-z0-9-]+) (fp32|fp16)(, sdpa)? \| (\d+) \| (\d+ / \d+ / \d+) \|.*)");
  std::smatch found;
  int rows = 0;
  for (std::string line; std::getline(document, line);) {
    if (!std::regex_match(line, found, row)) continue;
    ++rows;
    EXPECT_EQ(found[5], table_entry(found[1], found[2], found[3].matched, std::stoll(found[4])))
        << line;
  }
  EXPECT_EQ(rows, 15);
}

}  // namespace
}  // namespace mimus::kernels
