// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace mimus::emulator::cli {

/// Columns of the terminal: COLUMNS if set, else the width of the terminal on stdout, else 100.
[[nodiscard]] int terminal_width();

/// Writes to stdout and checks that the text was written. Throws IoError, e.g. on a full disk.
void print(std::string_view text);

}  // namespace mimus::emulator::cli
