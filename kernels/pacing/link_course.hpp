// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace mimus::kernels {

/// A transfer over shared links. Times in ns.
struct LinkFlow {
  int channel = 0;            ///< whose it is; of no matter here
  std::vector<int> links;     ///< it uses
  std::int64_t begin = 0;     ///< it is on its links from here on
  std::int64_t position = 0;  ///< up to which it has been moved on, from `begin` on
  double remaining = 0.0;     ///< of it at `position`, as time on idle links
  std::int64_t end = -1;      ///< filled in
};

/// Moves transfers on together until the first of them end, with nothing else coming: `end` of
/// those, and of the others `position` and `remaining` there. Each has the rate 1 ÷ n on a link
/// that n transfers are on, and goes by its slowest. What comes besides can only make ends later.
/// Returns that instant. `flows` must not be empty.
[[nodiscard]] std::int64_t move_to_first_end(std::vector<LinkFlow>& flows, int links);
/// The ends of all of them, if nothing else comes.
void move_to_all_ends(std::vector<LinkFlow>& flows, int links);

}  // namespace mimus::kernels
