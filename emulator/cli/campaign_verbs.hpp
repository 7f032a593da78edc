// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emulator/cli/verbs.hpp"

namespace mimus::emulator::cli {

// The verbs of `mimus campaign`, one file each; `run` and `expand` are the same as without it.
[[nodiscard]] Verb add_campaign_status(CLI::App& campaign, Session& session);
[[nodiscard]] Verb add_campaign_resume(CLI::App& campaign, Session& session);
[[nodiscard]] Verb add_campaign_merge(CLI::App& campaign, Session& session);

}  // namespace mimus::emulator::cli
