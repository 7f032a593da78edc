// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "scheduler/planner/planner.hpp"

namespace mimus::scheduler {

/// A gang that needs a place on GPUs of one type.
struct GangToPlace {
  int type = 0;
  int gpus = 1;
  const Allocation* held = nullptr;  ///< usable GPUs that it has and should keep; or null
  bool stays = false;                ///< it keeps them before any other gang is placed
};

/// Places for gangs that together need no more usable GPUs of a type than there are: whole nodes,
/// and one node for the rest of a gang, the largest gangs first. A gang keeps what it holds unless
/// a larger one needs it. Nodes are chosen so that as few GPUs as possible change hands, then those
/// with the fewest free GPUs. Gangs of powers of two thus always find one node or whole ones if the
/// sizes of nodes are powers of two (the covering of a mesh by submeshes in Alpa, OSDI'22). If no
/// node has room for the rest of a gang, it is spread.
[[nodiscard]] std::vector<Allocation> place_on_whole_nodes(std::span<const GangToPlace> gangs,
                                                           const Cluster& cluster,
                                                           const Placer& placer);

}  // namespace mimus::scheduler
