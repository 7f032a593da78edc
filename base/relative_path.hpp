// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/error.hpp"

namespace mimus {

/// `path` as written at `where`, relative to the folder of that file (or to the current folder for
/// a path on the command line).
[[nodiscard]] std::string relative_to(const SourceLocation& where, const std::string& path);

}  // namespace mimus
