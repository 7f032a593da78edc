// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace mimus::emulator::cli {

/// Takes one of these words. Unlike CLI::IsMember it names the nearest one to a misspelt word.
[[nodiscard]] CLI::Validator one_of(std::vector<std::string> words);

}  // namespace mimus::emulator::cli
