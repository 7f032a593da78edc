// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "emulator/live/messages/protocol.hpp"
#include "kernels/collective.hpp"

namespace mimus::emulator {

/// What a member of a gang that is resized in place passes to its next attempt.
struct Handover {
  StartMessage next;
  std::unique_ptr<kernels::Collective> collective;  ///< of the gang so far; null for one member
};

}  // namespace mimus::emulator
