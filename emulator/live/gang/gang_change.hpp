// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "kernels/collective.hpp"
#include "kernels/pacing/link_pacer.hpp"

namespace mimus::emulator {

/// How a gang's communication follows from that of its predecessor.
struct GangChange {
  std::unique_ptr<kernels::Collective> before;  ///< on members that stay; null if there was none
  /// The gang's part in its links, already open; null without a predecessor.
  std::unique_ptr<kernels::LinkPacer> links;
  int members_before = 0;  ///< 0: the gang is new
};

}  // namespace mimus::emulator
