// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "emulator/cli/completion/candidates.hpp"

namespace mimus::emulator::cli {

/// The place of an unfinished value.
struct ValuePlace {
  const CLI::App& verb;
  const CLI::Option& option;                  ///< or argument
  const std::vector<std::string>& arguments;  ///< of the verb, so far
  const std::string& text;                    ///< of the value, so far
};

/// Values that fit: by the option's set of values, by its name, or by the help's name for its value
/// (CELL, FILE, …). May read the campaign that an argument names; throws Error when it is broken.
[[nodiscard]] Candidates option_values(const ValuePlace& place);

}  // namespace mimus::emulator::cli
