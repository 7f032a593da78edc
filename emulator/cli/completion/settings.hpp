// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "emulator/cli/completion/candidates.hpp"

namespace mimus::emulator::cli {

/// For `--set PATH=VALUE`: dotted paths of a campaign, and after "=" the values of the key if they
/// can be listed.
[[nodiscard]] Candidates setting_candidates(const std::string& text);

}  // namespace mimus::emulator::cli
