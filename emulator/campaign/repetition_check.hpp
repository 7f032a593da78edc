// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emulator/campaign/campaign.hpp"

namespace mimus::emulator {

/// Adds a note to cells whose repetitions all give the same result: virtual ones with jobs that are
/// not drawn, under a policy that draws nothing.
void add_repetition_notes(Campaign& campaign);

}  // namespace mimus::emulator
