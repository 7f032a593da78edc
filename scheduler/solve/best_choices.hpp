// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace mimus::scheduler {

/// What can be chosen for someone: it takes of one resource and gains something.
struct Choosable {
  std::size_t someone = 0;
  std::size_t resource = 0;
  int takes = 0;
  std::int64_t gain = 0;
};

struct Choices {
  std::vector<std::optional<std::size_t>> of_each;  ///< numbers of what was chosen, if anything
  std::int64_t gain = 0;                            ///< of all together
  std::int64_t most = 0;                            ///< that no choices can gain more than
};

/// At most one choice for each of `people`, with as much gain as can be where all choices together
/// take no more than there is of each resource (multiple-choice knapsacks). The gain is at most
/// `gap` × itself below the largest one, or so little that 200 nodes of a search tree do not tell.
///
/// The linear relaxation gives a bound and prices; it leaves at most one choice per resource
/// undecided, which are made by gain. Where that is too little, the choices that cost little at
/// these prices are searched (LinearProgram::maximise_whole), then those that cost four times as
/// much, and so on: none that costs more than the bound leaves is in better choices. Gains are
/// whole because the bounds of the search may then be rounded down.
[[nodiscard]] Choices best_choices(std::span<const Choosable> all, std::size_t people,
                                   std::span<const int> amounts, double gap);

}  // namespace mimus::scheduler
