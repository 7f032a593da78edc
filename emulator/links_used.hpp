// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "emulator/cell_config.hpp"
#include "kernels/pacing/link_course.hpp"

namespace mimus::emulator {

/// The links that the replicas on `slots` pass when they exchange data: those of their GPUs to the
/// island or node, the uplinks of their nodes if there are several, and of their racks if there are
/// several. A ring passes each of them once per direction. Loads are those of gang_link(): the rate
/// of the narrowest link ÷ the link's own. A node's uplink carries `network`, a rack's
/// `rack_network` for each of its nodes.
///
/// A link's number is that of its GPU; nodes follow after GPUs, and racks after nodes.
[[nodiscard]] std::vector<kernels::LinkUse> links_used(const ClusterConfig& cluster,
                                                       std::span<const scheduler::Slot> slots);
[[nodiscard]] std::size_t link_count(const scheduler::ClusterShape& shape);

}  // namespace mimus::emulator
