// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Runs every input of the corpus, both hand-written and found ones, in every build.
#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "base/text_file.hpp"
#include "tests/fuzz/campaign_input.hpp"
#include "tests/fuzz/import_input.hpp"
#include "workloads/workload_sources.hpp"

namespace mimus {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestCut = 400;

struct Input {
  std::string file;
  std::string target;
  std::string text;
};

std::string problem_with(const std::string& target, std::string_view text) {
  if (target == "campaign") return emulator::fuzz::problem_with_campaign(text);
  return workloads::fuzz::problem_with_trace(target, text);
}

fs::path corpus_folder() {
  const char* source = std::getenv("MIMUS_SOURCE_DIR");
  return fs::path(source == nullptr ? "." : source) / "tests/fuzz/corpus";
}

std::vector<Input> corpus() {
  std::vector<Input> inputs;
  for (const auto& entry : fs::recursive_directory_iterator(corpus_folder())) {
    if (!entry.is_regular_file()) continue;
    const std::string file = entry.path().string();
    inputs.push_back({file, entry.path().parent_path().filename().string(), read_text_file(file)});
  }
  std::sort(inputs.begin(), inputs.end(),
            [](const Input& a, const Input& b) { return a.file < b.file; });
  return inputs;
}

/// Whether the source reads its workload from a file, which users may get from elsewhere.
bool reads_a_file(const Choice<workloads::WorkloadSource>& source) {
  return std::any_of(source.parameters.begin(), source.parameters.end(),
                     [](const ParameterInfo& parameter) { return parameter.name == "path"; });
}

TEST(FuzzCorpus, HasAnInputForEveryFormat) {
  const auto inputs = corpus();

  for (const auto& source : workloads::workload_sources().choices()) {
    if (!reads_a_file(source)) continue;
    EXPECT_TRUE(std::any_of(inputs.begin(), inputs.end(),
                            [&](const Input& input) { return input.target == source.name; }))
        << "no input for " << source.name;
  }
}

TEST(FuzzCorpus, IsReadOrRefusedUnderEveryChoiceOfOptions) {
  for (const Input& input : corpus()) {
    EXPECT_EQ(problem_with(input.target, input.text), "") << input.file;
    if (input.text.empty() || input.target == "campaign") continue;
    for (int variant = 0; variant < workloads::fuzz::kVariants; ++variant) {
      std::string other = input.text;
      other.front() = static_cast<char>('A' + variant);
      EXPECT_EQ(problem_with(input.target, other), "") << input.file << " as variant " << variant;
    }
  }
}

TEST(FuzzCorpus, TruncatedAnywhereIsReadOrRefused) {
  for (const Input& input : corpus()) {
    for (std::size_t length = 0; length < std::min(input.text.size(), kLongestCut); ++length) {
      ASSERT_EQ(problem_with(input.target, std::string_view(input.text).substr(0, length)), "")
          << input.file << " cut after " << length << " bytes";
    }
  }
}

}  // namespace
}  // namespace mimus
