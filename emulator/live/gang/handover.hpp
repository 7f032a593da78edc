// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emulator/live/gang/gang_change.hpp"
#include "emulator/live/messages/protocol.hpp"

namespace mimus::emulator {

/// What a worker takes into an attempt.
struct Handover {
  StartMessage next;
  GangChange change;
};

}  // namespace mimus::emulator
