// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace mimus::emulator::cli {

/// Accepts one of these words. Unlike CLI::IsMember, its error names the nearest word.
[[nodiscard]] CLI::Validator one_of(std::vector<std::string> words);

}  // namespace mimus::emulator::cli
