// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emulator/campaign/campaign.hpp"

namespace mimus::emulator {

/// Adds a note to the cells that state a key of `engine:`, other than its default, which none of
/// the campaign's cells that state it reads. Keys of a file are left alone where the kind of engine
/// was chosen on the command line: a file may serve both.
void add_idle_key_notes(Campaign& campaign);

}  // namespace mimus::emulator
