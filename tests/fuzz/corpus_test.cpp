// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Every input of the corpus, the hand-written and the found ones, in every build.
#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "base/text_file.hpp"
#include "tests/fuzz/import_input.hpp"

namespace mimus::workloads::fuzz {
namespace {

std::vector<std::string> corpus() {
  const char* source = std::getenv("MIMUS_SOURCE_DIR");
  const auto folder = std::filesystem::path(source == nullptr ? "." : source) / "tests/fuzz/corpus";
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

TEST(FuzzCorpus, HasAnInputForEveryFormat) {
  std::size_t formats = 0;
  for (const char* format : kFormats) {
    const auto files = corpus();
    formats += std::any_of(files.begin(), files.end(), [&](const std::string& file) {
      return std::filesystem::path(file).filename().string().starts_with(format);
    });
  }
  EXPECT_EQ(formats, std::size(kFormats));
}

TEST(FuzzCorpus, IsReadOrRefusedUnderEveryChoiceOfOptions) {
  for (const std::string& file : corpus()) {
    std::string input = read_text_file(file);
    EXPECT_EQ(problem_with(input), "") << file;
    if (input.empty()) continue;
    for (int variant = 0; variant < 3; ++variant) {
      const auto letter = static_cast<unsigned char>(input.front() - 'A') % std::size(kFormats);
      std::string other = input;
      other.front() =
          static_cast<char>('A' + letter + std::size(kFormats) * static_cast<std::size_t>(variant));
      EXPECT_EQ(problem_with(other), "") << file << " as variant " << variant;
    }
  }
}

TEST(FuzzCorpus, TruncatedAnywhereIsReadOrRefused) {
  for (const std::string& file : corpus()) {
    const std::string input = read_text_file(file);
    for (std::size_t length = 0; length < std::min<std::size_t>(input.size(), 400); ++length) {
      ASSERT_EQ(problem_with(std::string_view(input).substr(0, length)), "")
          << file << " cut after " << length << " bytes";
    }
  }
}

}  // namespace
}  // namespace mimus::workloads::fuzz
