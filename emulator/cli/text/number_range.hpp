// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

namespace mimus::emulator::cli {

/// A number from `least` to `most`. Unlike CLI::Range it refuses "nan".
[[nodiscard]] CLI::Validator number_between(double least, double most);

}  // namespace mimus::emulator::cli
