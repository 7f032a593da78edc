// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace mimus::emulator {

/// One part of a campaign's cells: those whose number leaves `index` when divided by `count`. Of
/// all cells, not of the unfinished ones, so that parts that run at the same time never overlap.
struct Slice {
  int index = 0;
  int count = 1;
  [[nodiscard]] std::vector<int> share_of(const std::vector<int>& cells) const;
  /// This part of the part `outer`: nothing outside of it.
  [[nodiscard]] Slice of(const Slice& outer) const;
  bool operator==(const Slice&) const = default;
};

/// "2/8": the second of eight. Throws UsageError.
[[nodiscard]] Slice parse_slice(const std::string& text);

/// The part of this task of a job array, from Slurm's environment variables; everything without
/// them.
[[nodiscard]] Slice launched_task();

/// The part of this rank of a launcher, from its environment variables; everything without them.
/// MPI is not needed.
[[nodiscard]] Slice launched_rank();

}  // namespace mimus::emulator
