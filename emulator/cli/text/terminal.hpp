// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace mimus::emulator::cli {

/// Columns of the terminal: COLUMNS when set, else what the terminal on stdout says, else 100.
[[nodiscard]] int terminal_width();

/// Writes to stdout and makes sure that it arrived. Throws IoError, e.g. on a full disk.
void print(std::string_view text);

}  // namespace mimus::emulator::cli
