// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace mimus::emulator::cli {

/// Prints the steps and slowdowns of a complete profile on stdout.
void print_profile_table(const std::string& path);
void print_profile_json(const std::string& path);

}  // namespace mimus::emulator::cli
