// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/launch/sorted_rows.hpp"

#include <algorithm>

#include "kernels/launch/alignment.hpp"
#include "kernels/launch/launch.hpp"

namespace mimus::kernels {
namespace {

// A copy of the pairs, and one counter per digit and tile for CUB's look-back. Its tiles have at
// least 1,000 pairs.
std::int64_t workspace_bytes_of(std::int64_t rows) {
  constexpr std::int64_t kOfAnyNumber = 256 * 1024;
  return 2 * kIndex * rows + 2 * rows + kOfAnyNumber;
}

}  // namespace

SortedRows::SortedRows(std::int64_t rows, std::int64_t features, std::int64_t entries)
    : most_runs(std::min(rows, entries)),
      most_parts((rows + kRowsOfAPart - 1) / kRowsOfAPart + most_runs) {
  std::int64_t end = 0;
  const auto place = [&end](std::int64_t size) {
    const std::int64_t begin = end;
    end += align_up(size);
    return begin;
  };
  places = place(kIndex * rows);
  positions = place(kIndex * rows);
  sorted_places = place(kIndex * rows);
  sorted_positions = place(kIndex * rows);
  run_begins = place(kIndex * most_runs);
  run_parts = place(kIndex * most_runs);
  first_parts = place(kIndex * most_runs);
  part_begins = place(kIndex * most_parts);
  counts = place(2 * kIndex);
  part_sums = place(kFloat * most_parts * features);
  workspace_bytes = workspace_bytes_of(rows);
  workspace = place(workspace_bytes);
  bytes = rows > kRowsInOrder ? end : 0;
}

}  // namespace mimus::kernels
