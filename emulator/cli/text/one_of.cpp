// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/cli/text/one_of.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"

namespace mimus::emulator::cli {

CLI::Validator one_of(std::vector<std::string> words) {
  std::string description = fmt::format("{{{}}}", fmt::join(words, ","));
  const auto refusal = [words = std::move(words)](const std::string& text) {
    const bool is_known = std::find(words.begin(), words.end(), text) != words.end();
    return is_known ? std::string() : unknown_name_message("word", text, words);
  };
  return {refusal, std::move(description)};
}

}  // namespace mimus::emulator::cli
