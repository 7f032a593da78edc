// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace mimus::kernels {

/// Most rows that an embedding's gradient adds up without sorting them (PyTorch 2.11,
/// Embedding.cu).
inline constexpr std::int64_t kRowsInOrder = 3072;

/// Memory of an addition of sorted rows, as offsets [bytes] from its beginning. Rows of one place
/// are a run. Runs are added up in parts of a few rows each, then the parts.
struct SortedRows {
  static constexpr std::int64_t kRowsOfAPart = 10;
  static constexpr std::int64_t kKernels = 20;  ///< with those of CUB, eight of which move pairs
  static constexpr std::int64_t kFills = 10;    ///< by CUB: before each of those eight, and two

  SortedRows(std::int64_t rows, std::int64_t features, std::int64_t entries);

  std::int64_t most_runs, most_parts;  ///< that there may be
  // int64, `rows` each: before sorting, and after.
  std::int64_t places, positions, sorted_places, sorted_positions;
  // int64, `most_runs` each: where a run begins, how many parts it has, the number of its first
  // part.
  std::int64_t run_begins, run_parts, first_parts;
  std::int64_t part_begins;                 ///< int64, most_parts
  std::int64_t counts;                      ///< int64: runs, parts
  std::int64_t part_sums;                   ///< fp32, most_parts × features
  std::int64_t workspace, workspace_bytes;  ///< further memory of the sort
  std::int64_t bytes;                       ///< of all; 0 if rows are added in their order
};

}  // namespace mimus::kernels
