// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace mimus::scheduler {

/// A job that waits to be put in the queue of a GPU of some type.
struct LinedJob {
  std::vector<double> times;  ///< that it takes on each type [s]; infinite: cannot run there
};

/// Queues for `gpus[n]` GPUs of each type that minimise the sum of the times until jobs end: the
/// job that is k-th from the end of a queue adds k times its own time there (AlloX, Le et al.,
/// EuroSys'20). Returns for each job the type on which it is first in a queue; nothing for jobs
/// that come later.
[[nodiscard]] std::vector<std::optional<std::size_t>> first_in_line(std::span<const LinedJob> jobs,
                                                                    std::span<const int> gpus);

}  // namespace mimus::scheduler
