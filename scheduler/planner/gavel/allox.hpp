// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace mimus::scheduler {

/// A job that waits to be put in a line before a GPU of some type.
struct LinedJob {
  std::vector<double> times;  ///< that it takes on each type [s]; infinite: cannot run there
};

/// Lines before `gpus[n]` GPUs of each type, so that the sum of the times until jobs end is least:
/// each job is the k-th from the end of a line and adds k times its own time there (AlloX, Le et
/// al., EuroSys'20). Returns the type on which each job comes first in a line; nothing for those
/// who come later.
[[nodiscard]] std::vector<std::optional<std::size_t>> first_in_line(std::span<const LinedJob> jobs,
                                                                    std::span<const int> gpus);

}  // namespace mimus::scheduler
