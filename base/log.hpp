// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <spdlog/spdlog.h>

namespace mimus::log {

// stdout carries results, stderr carries the log: a command's output can be piped while people
// still see what happens.
using spdlog::debug;
using spdlog::error;
using spdlog::info;
using spdlog::warn;

/// Sends the log to stderr. `verbosity`: -1 errors only, 0 normal, 1 debug. Colour only on a
/// terminal and without NO_COLOR. `rank` < 0 leaves the rank out of the prefix.
void configure(int verbosity, int rank = -1);

}  // namespace mimus::log
