// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace mimus::emulator::cli {

/// A word that is possible at the cursor.
struct Candidate {
  std::string word;
  std::string summary{};
};

/// What a shell offers for an unfinished command line.
struct Candidates {
  enum class Paths { none, files, folders };
  std::vector<Candidate> words;
  Paths paths = Paths::none;  ///< the shell adds these itself
  bool goes_on = false;       ///< words are unfinished ("engine."): no blank after them
};

/// Candidates for the last of `words`, which follow the program's name. The commands and options
/// are those of `root`. Never throws on unfinished input.
[[nodiscard]] Candidates complete(const CLI::App& root, const std::vector<std::string>& words);

}  // namespace mimus::emulator::cli
