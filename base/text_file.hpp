// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace mimus {

/// The bytes of an input file. Throws ConfigError naming the path when it cannot be read.
[[nodiscard]] std::string read_text_file(const std::string& path);

}  // namespace mimus
