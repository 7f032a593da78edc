// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace mimus::scheduler {

/// An option: it uses an amount of one resource and has a gain.
struct Choosable {
  std::size_t someone = 0;
  std::size_t resource = 0;
  int takes = 0;
  std::int64_t gain = 0;
};

struct Choices {
  std::vector<std::optional<std::size_t>> of_each;  ///< numbers of what was chosen, if anything
  std::int64_t gain = 0;                            ///< of all together
  std::int64_t most = 0;                            ///< upper bound of the gain of any choices
};

/// Chooses at most one option for each of `people` so that the gain is as large as possible and no
/// resource is exceeded (multiple-choice knapsacks). The gain is at most `gap` × itself below the
/// largest one, or by so little that 200 nodes of a search tree do not show it.
///
/// The linear relaxation gives a bound and prices. Options that gain less than a mixture of others
/// of the same resource are left out of it. It leaves at most one choice per resource undecided,
/// which are made by gain. If that is not enough, the options that cost little at these prices are
/// searched (LinearProgram::maximise_whole), then those that cost four times as much, and so on: an
/// option that costs more than the bound leaves is in no better choice. Gains are whole numbers
/// because the bounds of the search may then be rounded down.
[[nodiscard]] Choices best_choices(std::span<const Choosable> all, std::size_t people,
                                   std::span<const int> amounts, double gap);

}  // namespace mimus::scheduler
