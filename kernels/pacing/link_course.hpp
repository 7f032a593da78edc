// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace mimus::kernels {

/// A link that a transfer uses.
struct LinkUse {
  int link = 0;
  double load = 1.0;  ///< share of the link's bandwidth that it takes on idle links, (0, 1]
};

/// A transfer over shared links. Times in ns.
struct LinkFlow {
  int channel = 0;             ///< its owner; not used here
  std::vector<LinkUse> links;  ///< it uses
  std::int64_t begin = 0;      ///< it is on its links from here on
  std::int64_t position = 0;   ///< up to which it has been advanced, from `begin` on
  double remaining = 0.0;      ///< of it at `position`, as time on idle links
  std::int64_t end = -1;       ///< filled in
};

/// Advances transfers together until the first of them end, if nothing else comes: sets `end` of
/// those, and `position` and `remaining` of the others at that instant. Each link is divided
/// max-min fairly among the transfers on it, and a transfer proceeds at its slowest rate. Further
/// transfers can only make ends later. Returns that instant. `flows` must not be empty.
[[nodiscard]] std::int64_t move_to_first_end(std::vector<LinkFlow>& flows, int links);
/// The ends of all of them, if nothing else comes.
void move_to_all_ends(std::vector<LinkFlow>& flows, int links);

}  // namespace mimus::kernels
