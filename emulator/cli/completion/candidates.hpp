// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace mimus::emulator::cli {

/// A word that may stand where the cursor is.
struct Candidate {
  std::string word;
  std::string summary{};
};

/// What a shell shows for a half-written command line.
struct Candidates {
  enum class Paths { none, files, folders };
  std::vector<Candidate> words;
  Paths paths = Paths::none;  ///< the shell adds these itself
  bool goes_on = false;       ///< words are unfinished ("engine."): no blank after them
};

/// Candidates for the last of `words`, which follow the program's name; the commands and options
/// are those of `root`. Never throws for what is half written.
[[nodiscard]] Candidates complete(const CLI::App& root, const std::vector<std::string>& words);

}  // namespace mimus::emulator::cli
